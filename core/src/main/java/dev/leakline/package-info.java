/** The public API: opens memory recordings and returns results. */
@NullMarked
package dev.leakline;

import org.jspecify.annotations.NullMarked;
