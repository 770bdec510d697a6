/** Counters of Deep Java Library, for {@link dev.leakline.profile.GpuMemoryProfiler}. */
@NullMarked
package dev.leakline.djl;

import org.jspecify.annotations.NullMarked;
