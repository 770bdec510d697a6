/** From events to allocations: when each was born and died, what was live at the peak. */
@NullMarked
package dev.leakline.lifetime;

import org.jspecify.annotations.NullMarked;
