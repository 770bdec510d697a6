/** Lays two results side by side and says what changed. */
@NullMarked
package dev.leakline.compare;

import org.jspecify.annotations.NullMarked;
