/** Knowledge about PyTorch and Python as data: owners of code, meanings of frames, causes and their remedies. */
@NullMarked
package dev.leakline.known;

import org.jspecify.annotations.NullMarked;
