/** What an analysis found: immutable records, ready to be printed, stored or compared. */
@NullMarked
package dev.leakline.result;

import org.jspecify.annotations.NullMarked;
