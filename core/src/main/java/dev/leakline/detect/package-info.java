/** From evidence to results: pure functions that read and never write. */
@NullMarked
package dev.leakline.detect;

import org.jspecify.annotations.NullMarked;
