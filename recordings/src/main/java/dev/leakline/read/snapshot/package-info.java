/** Memory snapshots of every layout and writer: pickle and JSON into columns. Nothing in a file is executed. */
@NullMarked
package dev.leakline.read.snapshot;

import org.jspecify.annotations.NullMarked;
