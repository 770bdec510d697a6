/** Edits of Python source, and the differences that they make. */
@NullMarked
package dev.leakline.python.edit;

import org.jspecify.annotations.NullMarked;
