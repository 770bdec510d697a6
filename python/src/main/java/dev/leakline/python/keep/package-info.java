/** Keepers of the values of a line: where they are added to something that lives on, who reads that, and the edits that end it. */
@NullMarked
package dev.leakline.python.keep;

import org.jspecify.annotations.NullMarked;
