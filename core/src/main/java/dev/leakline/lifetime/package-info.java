/** From events to allocations: who was born when, who died when, what was live at the peak. */
@NullMarked
package dev.leakline.lifetime;

import org.jspecify.annotations.NullMarked;
