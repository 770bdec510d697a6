/** Statistics of series: what the field's library has not, and what it has in the form that detectors ask for. */
@NullMarked
package dev.leakline.statistics;

import org.jspecify.annotations.NullMarked;
