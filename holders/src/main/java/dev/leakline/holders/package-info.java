/** Finds what keeps device memory alive: dominators, cycles, the best path from a name to each storage, and which reference is suspect. */
@NullMarked
package dev.leakline.holders;

import org.jspecify.annotations.NullMarked;
