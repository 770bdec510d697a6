/** What every text is laid out with: width, colour, charts, and how lines of code are named. */
@NullMarked
package dev.leakline.report.terminal;

import org.jspecify.annotations.NullMarked;
