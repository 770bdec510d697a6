/** Writers of pickle streams, byte for byte in the dialects that snapshots come in, and of the same as JSON. */
@NullMarked
package dev.leakline.testkit.pickle;

import org.jspecify.annotations.NullMarked;
