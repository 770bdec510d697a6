/** Benchmarks of the hot paths, and the maker of the large snapshots that they need. */
@NullMarked
package dev.leakline.benchmarks;

import org.jspecify.annotations.NullMarked;
