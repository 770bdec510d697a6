/** What names, tables and lines that hold figures of memory mean: from words and rows to series. */
@NullMarked
package dev.leakline.read.figures;

import org.jspecify.annotations.NullMarked;
