/** Splits the live memory of a moment by line, call and category. */
@NullMarked
package dev.leakline.peak;

import org.jspecify.annotations.NullMarked;
