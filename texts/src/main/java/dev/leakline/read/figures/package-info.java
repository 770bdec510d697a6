/** Figures of memory in logs, tables, telemetry and JSON: from words and rows to series. */
@NullMarked
package dev.leakline.read.figures;

import org.jspecify.annotations.NullMarked;
