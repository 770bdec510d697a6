/** The comparison of two recordings as text. */
@NullMarked
package dev.leakline.report.diff;

import org.jspecify.annotations.NullMarked;
