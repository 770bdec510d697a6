package dev.leakline.result;

import io.avaje.jsonb.Json;
import java.util.List;

/**
 * The difference between a device's figure and the allocator's at one moment, in parts that add up.
 *
 * @param device the ordinal, -1 where no source says
 * @param source who measured what the device, or the process on it, uses
 * @param outerSeries the index of the series that says what the device, or the process on it, uses
 * @param innerSeries the index of the series that says what the allocator reserves, {@link #SNAPSHOT} for a snapshot's
 * @param alignment how the two were laid over each other
 * @param position where the sum is taken, on the outer series' axis: where it is highest
 * @param usedBytes what the outer series says there
 * @param parts what that is made of; their bytes add up to it
 * @param text how the difference goes over time, in a sentence
 * @param growthPerUnit of the difference per unit of the outer series' axis; 0 where it does not grow
 */
public record MemoryGap(
        int device,
        String source,
        int outerSeries,
        int innerSeries,
        Alignment alignment,
        double position,
        long usedBytes,
        List<Part> parts,
        String text,
        double growthPerUnit) {
    /** Stands for the timeline of a snapshot in the place of a series. */
    public static final int SNAPSHOT = -1;

    /** A title in a few words. */
    @Json.Property("title")
    public String title() {
        return "memory of " + (device < 0 ? "the device" : "device " + device) + " at its peak, by "
                + source.replace('_', '-');
    }

    /** Ways in which two figures are aligned. */
    public enum Alignment {
        /** By the clock. */
        TIME,
        /** By what the source says of both at once. */
        POSITION,
        /** They have nothing in common: by where the difference between them varies least. */
        SHAPE
    }

    /**
     * A part of what is used.
     *
     * @param text what is known of it, in a sentence
     */
    public record Part(Kind kind, long bytes, String text) {}

    /** Uses of memory, from the inside out. */
    public enum Kind {
        /** Tensors, as the allocator counts them. */
        ALLOCATED,
        /** Reserved by the allocator and free. */
        CACHED,
        /** Reserved by the allocator; nobody says how much of it is free. */
        RESERVED,
        /** There from the start beside the allocator: CUDA's context, the code of kernels, the workspaces of libraries. */
        CONTEXT,
        /** Came later in one step and stayed, as NCCL's buffers do. */
        LIBRARIES,
        /** Grew, measurement by measurement, outside of the allocator. */
        GROWTH,
        /** Was there before the job. */
        BEFORE,
        /** Belongs to other processes. */
        OTHER_PROCESSES,
        /** The rest. */
        UNEXPLAINED
    }
}
