/** Jobs that run: starting one, entering one, and which processes hold GPU memory. */
@NullMarked
package dev.leakline.live;

import org.jspecify.annotations.NullMarked;
