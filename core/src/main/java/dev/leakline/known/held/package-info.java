/** The collections that holder dumps name, as code names them. */
@NullMarked
package dev.leakline.known.held;

import org.jspecify.annotations.NullMarked;
