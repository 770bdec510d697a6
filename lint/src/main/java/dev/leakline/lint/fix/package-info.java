/** Fixes as edits of the source, which keep everything else as it is. */
@NullMarked
package dev.leakline.lint.fix;

import org.jspecify.annotations.NullMarked;
