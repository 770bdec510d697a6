/** Allocations from events: their lifetimes, and what was live at the peak. */
@NullMarked
package dev.leakline.lifetime;

import org.jspecify.annotations.NullMarked;
