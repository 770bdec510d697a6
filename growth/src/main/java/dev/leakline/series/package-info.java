/** Figures over time, judged: which grow, and what one device holds beyond another figure. */
@NullMarked
package dev.leakline.series;

import org.jspecify.annotations.NullMarked;
