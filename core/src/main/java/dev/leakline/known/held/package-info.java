/** The collections that holder dumps name, and the lines of the source that add to them. */
@NullMarked
package dev.leakline.known.held;

import org.jspecify.annotations.NullMarked;
