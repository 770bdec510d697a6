/** Jobs that run: starting one with the probe inside, or entering one. */
@NullMarked
package dev.leakline.attach;

import org.jspecify.annotations.NullMarked;
