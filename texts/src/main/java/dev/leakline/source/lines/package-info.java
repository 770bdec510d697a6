/** The lines of a log, and their forms: what they are but for their numbers. */
@NullMarked
package dev.leakline.source.lines;

import org.jspecify.annotations.NullMarked;
