package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;

/**
 * A cycle that nothing outside refers to.
 *
 * @param edges the way around, that to the {@linkplain #head} first: it is the reference to cut
 * @param head the object that would go first
 * @param objects objects of the component in which it lies
 * @param isCollectable whether Python's collector sees all of it
 */
record Loop(IntArrayList edges, int head, int objects, boolean isCollectable) {}
