/** The public way in: opens a memory recording and returns a report. */
@NullMarked
package dev.leakline;

import org.jspecify.annotations.NullMarked;
