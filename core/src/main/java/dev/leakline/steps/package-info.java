/** What repeats in a recording: steps, by marks or by loops. */
@NullMarked
package dev.leakline.steps;

import org.jspecify.annotations.NullMarked;
