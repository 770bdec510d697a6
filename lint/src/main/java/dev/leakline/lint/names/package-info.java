/** The meaning of names in PyTorch code, as data. */
@NullMarked
package dev.leakline.lint.names;

import org.jspecify.annotations.NullMarked;
