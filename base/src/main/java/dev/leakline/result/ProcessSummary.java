package dev.leakline.result;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process's recording in a few figures: what is needed to tell whether it did the same as others, what differs, and when its memory is full.
 * All of it is about the device on which most happened; sizes are bytes that the allocator holds. Those of lines and blocks are what was
 * requested, rounded as the allocator rounds it, which is the same in every process that does the same.
 *
 * @param path of the recording, with slashes
 * @param torch the version of torch that wrote it, as far as its layout tells
 * @param device the ordinal of the device
 * @param devices how many devices of the process hold memory
 * @param events what was recorded
 * @param steps whole steps
 * @param stepMeaning what one step is, in a few words
 * @param startMicros the time of the first event
 * @param endMicros the time of the last event
 * @param peak the most that was held at once
 * @param older what was held before the first event
 * @param end what was held after the last event
 * @param reserved what the allocator had from the driver after the last event
 * @param deviceBytes the memory of the device, 0 where the recording does not tell
 * @param hasFailed whether a request failed for good
 * @param model sizes of the blocks of the model and its optimizer, the largest first
 * @param resident sizes of all blocks that are there from the warm-up to the end, the model's included
 * @param composition what the peak is for, the most first; empty where that cannot be told
 * @param total all that comes and goes: what {@code resident} does not count
 * @param lines the lines that hold most, in the order of their file and line
 * @param leaks what grows without a ceiling
 * @param reservedPerStep what the allocator takes from the driver for each step of that growth; 0 where nothing grows
 * @param failure the last request that failed, null where none did
 */
public record ProcessSummary(
        String path,
        @Nullable String torch,
        int device,
        int devices,
        int events,
        int steps,
        String stepMeaning,
        long startMicros,
        long endMicros,
        long peak,
        long older,
        long end,
        long reserved,
        @Json.Serializer(UnknownIfZero.class) long deviceBytes,
        boolean hasFailed,
        List<BlockSize> model,
        List<BlockSize> resident,
        List<Peak.Use> composition,
        Course total,
        List<LineMemory> lines,
        List<Finding> leaks,
        double reservedPerStep,
        @Nullable FailedRequest failure) {
    /** A request that failed: the line that made it, and its bytes, rounded as the allocator does. */
    public record FailedRequest(Site site, long bytes) {}

    /** Blocks of one size. */
    public record BlockSize(long bytes, int blocks) {}

    /**
     * How much was live at once, as far as a recording has come: each new high with its step, at most a few.
     *
     * @param steps steps at which more was live than ever before; -1 is before the first step
     * @param bytes how much that was
     * @param usual the middle one of the peaks of the steps in which anything came, 0 where none is known
     * @param quartiles how much the peaks of the steps differ: between the first and the third quarter of them
     * @param tail how much the highest of them is above the third quarter
     */
    public record Course(List<Integer> steps, List<Long> bytes, long usual, long quartiles, long tail) {
        /** Nothing at all. */
        public static final Course NONE = new Course(List.of(), List.of(), 0, 0, 0);

        /** The most that was live at once. */
        public long most() {
            return bytes.isEmpty() ? 0 : bytes.getLast();
        }

        /** The most that was live at once before a step. */
        public long mostBefore(int step) {
            long most = 0;
            for (int i = 0; i < steps.size() && steps.get(i) < step; i++) {
                most = bytes.get(i);
            }
            return most;
        }
    }

    /**
     * The memory of a line of code.
     *
     * @param site the line
     * @param depth how many of the program's own calls lead to it
     * @param own what was allocated at the line itself, but for what is resident
     * @param through what was allocated by its calls as well
     * @param model blocks of the model and its optimizer that were allocated at the line itself
     * @param kept resident blocks that were allocated at the line itself and are not the model's
     * @param keptThrough the same with those of its calls
     * @param floor what of {@code own} is live when the last step ends
     * @param survivors in how many blocks
     * @param activeSteps steps in which it allocates, by its calls too
     * @param isInModel whether it allocates by calling modules, or within one
     * @param parameterShare of all that it allocates itself, the share in blocks that are each as large as one of the model's
     */
    public record LineMemory(
            Site site,
            int depth,
            Course own,
            Course through,
            long model,
            long kept,
            long keptThrough,
            long floor,
            int survivors,
            int activeSteps,
            boolean isInModel,
            double parameterShare) {}
}
