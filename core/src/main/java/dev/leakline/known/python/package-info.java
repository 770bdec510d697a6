/** What lines of Python say of the cause of a leak, read one by one, as text. */
@NullMarked
package dev.leakline.known.python;

import org.jspecify.annotations.NullMarked;
