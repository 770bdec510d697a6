/** Packed columns and digests; nothing here knows about GPUs. */
@NullMarked
package dev.leakline.primitive;

import org.jspecify.annotations.NullMarked;
