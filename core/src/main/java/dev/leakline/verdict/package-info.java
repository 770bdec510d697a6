/** Joins all findings into one verdict and orders them. */
@NullMarked
package dev.leakline.verdict;

import org.jspecify.annotations.NullMarked;
