/** What outlives a step, line by line, and the bytes that it adds up to. */
@NullMarked
package dev.leakline.floor;

import org.jspecify.annotations.NullMarked;
