package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.event.CallStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A piece of a segment, between the pieces before and after it. */
final class Block {
    /** Uses of a block. {@code UNMAPPED} is address space without memory. */
    enum State {
        ACTIVE_ALLOCATED,
        ACTIVE_PENDING_FREE,
        INACTIVE,
        UNMAPPED;

        private final String text = name().toLowerCase(Locale.ROOT);

        /** The word in the file: one object for all blocks. */
        String text() {
            return text;
        }
    }

    final DeviceSegment segment;
    long address;
    long size;
    /** Bytes requested; of an inactive block, by some former tenant: stale, as in PyTorch. */
    long requested;

    State state = State.INACTIVE;

    @Nullable
    Block previous;

    @Nullable
    Block next;

    @Nullable
    CallStack stack;
    /** The stack of the cudaMalloc, which stays with the high part when a block is cut. */
    @Nullable
    CallStack segmentStack;

    List<Tenant> tenants = new ArrayList<>();

    Block(DeviceSegment segment, long address, long size) {
        this.segment = segment;
        this.address = address;
        this.size = size;
    }

    long end() {
        return address + size;
    }

    Extent extent() {
        return new Extent(size, address);
    }

    boolean isActive() {
        return state == State.ACTIVE_ALLOCATED || state == State.ACTIVE_PENDING_FREE;
    }

    /** Lets somebody move in; {@code recorded} says whether a history is kept. */
    void occupy(long requestedBytes, @Nullable CallStack origin, boolean recorded) {
        state = State.ACTIVE_ALLOCATED;
        requested = requestedBytes;
        stack = origin;
        forgetBefore(end());
        if (recorded) {
            tenants.addFirst(new Tenant(address, requestedBytes, origin));
        }
    }

    void vacate() {
        state = State.INACTIVE;
        stack = null;
    }

    /** Drops tenants that began before an address. */
    void forgetBefore(long limit) {
        tenants.removeIf(tenant -> tenant.address() < limit);
    }
}
