/** A recording as flat columns: events, blocks, segments, stacks, strings, annotations; figures over time and profiled calls. */
@NullMarked
package dev.leakline.columns;

import org.jspecify.annotations.NullMarked;
