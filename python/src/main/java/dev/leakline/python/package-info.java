/** Python source as text, tokens and a syntax tree that survives errors. */
@NullMarked
package dev.leakline.python;

import org.jspecify.annotations.NullMarked;
