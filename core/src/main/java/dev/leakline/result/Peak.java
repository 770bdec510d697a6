package dev.leakline.result;

import io.avaje.jsonb.Json;
import java.util.List;

/**
 * The live memory at the peak.
 *
 * @param input the index of the input it comes from
 * @param device the ordinal of the device
 * @param bytes held for live allocations
 * @param requestedBytes requested for them, -1 where a profiler recorded it
 * @param reservedBytes reserved from the driver
 * @param event the event after which it was, {@link DeviceResult#BEFORE} for before the first
 * @param timeUs when, Unix microseconds, 0 where the recording has no times
 * @param sites how many sites had any of it
 * @param bySite who had it, largest first; their bytes add up to {@code bytes} where all sites are listed
 * @param byCategory the same by what it is for, largest first; empty where that cannot be told
 * @param byOperator the same by operators
 * @param byModule the same by modules
 * @param byCall the same by calls, outermost first
 */
public record Peak(
        int input,
        int device,
        long bytes,
        @Json.Serializer(UnknownIfNegative.class) long requestedBytes,
        long reservedBytes,
        int event,
        @Json.Serializer(UnknownIfZero.class) long timeUs,
        int sites,
        List<SiteUse> bySite,
        List<Use> byCategory,
        List<Share> byOperator,
        List<Share> byModule,
        List<CallTree> byCall) {
    /** Uses of memory. */
    public enum Category {
        /** It was there before the recording and stayed: parameters, optimizer state, and whatever else. */
        MODEL_STATE,
        /** It came before the first forward pass and stayed. */
        PARAMETERS,
        /** A backward pass made it and left it. */
        GRADIENTS,
        /** An optimizer made it and kept it. */
        OPTIMIZER_STATE,
        /** A forward pass made it for the backward pass. */
        ACTIVATIONS,
        /** A step brought it for its forward pass. */
        INPUTS,
        /** It went where it came from. */
        TEMPORARIES,
        /** None of these: what stays from step to step, for one. */
        OTHER
    }

    /** The live memory of a category; {@code share} is its part of all, from 0 to 1. */
    public record Use(Category category, long bytes, int blocks, double share) {}

    /** The live memory of an operator or module; {@code share} is its part of all, from 0 to 1. */
    public record Share(String name, long bytes, int blocks, double share) {}

    /** Sites that are not listed, because a report was read that did not name them. */
    public int unlisted() {
        return sites - bySite.size();
    }

    /** A copy with fewer sites, and with or without their stacks. */
    public Peak shown(int most, boolean hasStacks) {
        List<SiteUse> first = bySite.stream()
                .limit(most)
                .map(use -> hasStacks ? use : use.withoutStacks())
                .toList();
        return with(first, byCall);
    }

    /** A copy without its calls. */
    Peak withoutCalls() {
        return with(bySite, List.of());
    }

    private Peak with(List<SiteUse> listed, List<CallTree> calls) {
        return new Peak(
                input,
                device,
                bytes,
                requestedBytes,
                reservedBytes,
                event,
                timeUs,
                sites,
                listed,
                byCategory,
                byOperator,
                byModule,
                calls);
    }
}
