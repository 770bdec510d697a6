/** Events of a trace: what happened, where in the program and in which of its ranges. */
@NullMarked
package dev.leakline.testkit.snapshot.event;

import org.jspecify.annotations.NullMarked;
