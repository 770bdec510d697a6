/** Meanings of the words, numbers and times in the names and values of figures. */
@NullMarked
package dev.leakline.read.terms;

import org.jspecify.annotations.NullMarked;
