/** Messages about memory that ran out, found in any text. */
@NullMarked
package dev.leakline.read.log;

import org.jspecify.annotations.NullMarked;
