/** The result of an analysis: immutable records, ready to be printed, stored or compared. */
@NullMarked
package dev.leakline.result;

import org.jspecify.annotations.NullMarked;
