/** The cause of a leak by the source of its calls, and the advice with its edits. */
@NullMarked
package dev.leakline.known.source;

import org.jspecify.annotations.NullMarked;
