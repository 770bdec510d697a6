/** Allocations that outlive a step, grouped by line, and the floor that they make. */
@NullMarked
package dev.leakline.floor;

import org.jspecify.annotations.NullMarked;
