/** Changes that would lower a peak, found by editing recorded lifetimes. */
@NullMarked
package dev.leakline.levers;

import org.jspecify.annotations.NullMarked;
