/** Lint: finds code that leaks or wastes GPU memory before it runs, and mends it. */
@NullMarked
package dev.leakline.lint;

import org.jspecify.annotations.NullMarked;
