/** From the bytes of a file to columns: every layout and writer of a memory snapshot, none of it executed. */
@NullMarked
package dev.leakline.read;

import org.jspecify.annotations.NullMarked;
