/** Benchmarks of the hot paths. */
@NullMarked
package dev.leakline.benchmarks;

import org.jspecify.annotations.NullMarked;
