/** What a snapshot says, as flat columns: events, blocks, segments, stacks, strings, annotations. */
@NullMarked
package dev.leakline.columns;

import org.jspecify.annotations.NullMarked;
