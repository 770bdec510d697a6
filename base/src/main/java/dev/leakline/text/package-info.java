/** Numbers and names for sentences: sizes, counts, shares, text that is safe to show. */
@NullMarked
package dev.leakline.text;

import org.jspecify.annotations.NullMarked;
