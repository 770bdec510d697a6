/**
 * Profiles the memory of calls from within the program: {@link dev.leakline.profile.GpuMemoryProfiler} over a {@link
 * dev.leakline.profile.MemorySource}. Part of the public API.
 */
@NullMarked
package dev.leakline.profile;

import org.jspecify.annotations.NullMarked;
