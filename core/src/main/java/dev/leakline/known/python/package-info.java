/** What the lines of a Python program show, read as text: what a value is kept in, hooks, caches, metrics, logs. */
@NullMarked
package dev.leakline.known.python;

import org.jspecify.annotations.NullMarked;
