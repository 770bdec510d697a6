package dev.leakline.result;

import dev.leakline.text.ByteSize;
import io.avaje.jsonb.Json;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

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
 * @param byModule the same by modules and what it is for
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
        List<ModuleUse> byModule,
        List<CallTree> byCall) {
    /** Uses of memory. */
    public enum Category {
        /** A model's weights, trained or not. */
        PARAMETERS,
        /** A forward pass made it for the next one, which replaces it: a key-value cache, the state of a recurrent model. */
        BUFFERS,
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
        /** None of these: what a program keeps from step to step, a second copy of weights, workspaces of libraries. */
        OTHER,
        /** A finding says that it leaks. */
        LEAKED,
        /** The recording tells several of these apart by nothing. */
        UNKNOWN;

        /** The name that people know it by. */
        public String words() {
            return switch (this) {
                case OTHER -> "other memory";
                case LEAKED -> "leaked memory";
                case UNKNOWN -> "of unknown use";
                default -> name().toLowerCase(Locale.ROOT).replace('_', ' ');
            };
        }
    }

    /**
     * The live memory of a category.
     *
     * @param share its part of all, from 0 to 1
     * @param leastBytes those of blocks that are of no other category, as far as who made and freed them tells
     * @param mostBytes with blocks that are counted elsewhere and may be of this one
     */
    public record Use(Category category, long bytes, int blocks, double share, long leastBytes, long mostBytes) {}

    /** Uses that are named in a sentence: people remember three. */
    private static final int NAMED = 3;
    /** The share below which a use is not worth naming. */
    private static final double WORTH_NAMING = 0.05;

    /** The largest parts of the peak, in a sentence without a full stop. */
    @Json.Property("sentence")
    public String sentence() {
        String uses = byCategory.stream()
                .filter(use -> use.share() >= WORTH_NAMING)
                .limit(NAMED)
                .map(use -> ByteSize.format(use.bytes()) + " " + use.category().words())
                .collect(Collectors.joining(", "));
        return ByteSize.format(bytes) + " at the peak" + (uses.isEmpty() ? "" : ": " + uses) + largestLine()
                + (byCategory.isEmpty() && bytes > 0 ? "; " + untold() : "");
    }

    /** Why uses are not told. */
    private String untold() {
        return bySite.stream().anyMatch(use -> use.site().isLine())
                ? "its use is unknown, as no stack shows a model, an optimizer or a backward pass"
                : "its use is unknown, as no block has a stack: record from the start, with stacks=\"python\"";
    }

    private String largestLine() {
        return bySite.stream()
                .filter(use -> use.site().isLine())
                .findFirst()
                .map(use -> "; largest line " + use.site().brief() + " (" + ByteSize.format(use.bytes()) + ")")
                .orElse("");
    }

    /** The live memory of an operator; {@code share} is its part of all, from 0 to 1. */
    public record Share(String name, long bytes, int blocks, double share) {}

    /**
     * The live memory of a category in a module.
     *
     * @param name of the module where a profiler recorded it, else the line of its forward pass, else what is known instead, in parentheses
     * @param file of that line; empty where there is none
     * @param line its number, 0 where there is none
     * @param share the part of all, from 0 to 1
     */
    public record ModuleUse(
            String name, String file, int line, Category category, long bytes, int blocks, double share) {}

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
