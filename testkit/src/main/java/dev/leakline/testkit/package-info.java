/** Writes synthetic snapshot files for tests and benchmarks. */
@NullMarked
package dev.leakline.testkit;

import org.jspecify.annotations.NullMarked;
