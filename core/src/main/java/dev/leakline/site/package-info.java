/** Whose line an allocation is. */
@NullMarked
package dev.leakline.site;

import org.jspecify.annotations.NullMarked;
