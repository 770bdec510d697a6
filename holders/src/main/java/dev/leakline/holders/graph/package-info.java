/** Algorithms on the graph of references: components, dominators, and the reference of a cycle to cut. */
@NullMarked
package dev.leakline.holders.graph;

import org.jspecify.annotations.NullMarked;
