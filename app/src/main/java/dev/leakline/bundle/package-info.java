/** Archives for tickets: what is put together, what is replaced in it, how it is read back. */
@NullMarked
package dev.leakline.bundle;

import org.jspecify.annotations.NullMarked;
