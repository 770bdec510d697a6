package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.event.CallStack;
import org.jspecify.annotations.Nullable;

/** An entry of a block's history: an allocation that starts, or once started, inside of it. */
record Tenant(long address, long requested, @Nullable CallStack stack) {}
