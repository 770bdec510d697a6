/** Samples of processes, as a watch records them. */
@NullMarked
package dev.leakline.read.samples;

import org.jspecify.annotations.NullMarked;
