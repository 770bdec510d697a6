/** Edits of a program's source: statements in the place of others, as patches. */
@NullMarked
package dev.leakline.known.edit;

import org.jspecify.annotations.NullMarked;
