package dev.leakline.allocator;

/** Answers whether the work that was queued on a stream when a block was freed has completed, as cudaEventQuery does. */
@FunctionalInterface
public interface EventReadiness {
    /** Every event has completed by the time somebody asks. */
    EventReadiness ALWAYS = (stream, block) -> true;

    /** Returns whether the work that used {@code block} on {@code stream} has completed. */
    boolean isComplete(long stream, int block);
}
