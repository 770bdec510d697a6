/** The list of formats, and what each file turned out to be. */
@NullMarked
package dev.leakline.read;

import org.jspecify.annotations.NullMarked;
