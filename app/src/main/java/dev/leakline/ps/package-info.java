/** Finds the processes that hold GPU memory. */
@NullMarked
package dev.leakline.ps;

import org.jspecify.annotations.NullMarked;
