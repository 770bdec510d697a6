/** Snapshots made up event by event, which obey the rules that PyTorch's own obey. */
@NullMarked
package dev.leakline.testkit.snapshot;

import org.jspecify.annotations.NullMarked;
