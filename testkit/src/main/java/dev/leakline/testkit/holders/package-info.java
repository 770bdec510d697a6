/** Writes holder dumps as the probe does, from a description of who refers to whom. */
@NullMarked
package dev.leakline.testkit.holders;

import org.jspecify.annotations.NullMarked;
