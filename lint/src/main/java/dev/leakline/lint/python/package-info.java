/** Python source as a tree that survives syntax errors. */
@NullMarked
package dev.leakline.lint.python;

import org.jspecify.annotations.NullMarked;
