/** Traces of torch.profiler into the columns of a snapshot. */
@NullMarked
package dev.leakline.read.trace;

import org.jspecify.annotations.NullMarked;
