/** Layout of text: width, colour, charts, and names of lines of code. */
@NullMarked
package dev.leakline.report.terminal;

import org.jspecify.annotations.NullMarked;
