/** Texts around messages and figures: sentences with sizes, settings, code. */
@NullMarked
package dev.leakline.read.clue;

import org.jspecify.annotations.NullMarked;
