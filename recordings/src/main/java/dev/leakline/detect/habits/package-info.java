/** Spikes, repeated allocations and caches that never shrink. */
@NullMarked
package dev.leakline.detect.habits;

import org.jspecify.annotations.NullMarked;
