/** Judges processes while they run, from samples that come one at a time. */
@NullMarked
package dev.leakline.live;

import org.jspecify.annotations.NullMarked;
