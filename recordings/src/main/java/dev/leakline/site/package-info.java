/** Finds the line responsible for an allocation. */
@NullMarked
package dev.leakline.site;

import org.jspecify.annotations.NullMarked;
