/** Detectors of leaks and reference cycles, and reasons why other growth is not a leak. */
@NullMarked
package dev.leakline.detect.growth;

import org.jspecify.annotations.NullMarked;
