/** Leaks, reference cycles, and why other growth is none. */
@NullMarked
package dev.leakline.detect.growth;

import org.jspecify.annotations.NullMarked;
