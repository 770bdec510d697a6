/** Looks into processes that leak, as far as it takes to name the line. */
@NullMarked
package dev.leakline.watch.ladder;

import org.jspecify.annotations.NullMarked;
