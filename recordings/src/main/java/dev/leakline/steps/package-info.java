/** Finds the steps of a recording, by marks or by loops. */
@NullMarked
package dev.leakline.steps;

import org.jspecify.annotations.NullMarked;
