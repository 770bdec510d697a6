/** What names in Python source tell of PyTorch, as data. */
@NullMarked
package dev.leakline.lint.names;

import org.jspecify.annotations.NullMarked;
