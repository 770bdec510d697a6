package dev.leakline.columns;

/** The writer of a recording, which determines what the recording can show. */
public enum Recorder {
    /** The caching allocator: each request with its lines of code, each call to the driver, and what lies where at the end. */
    ALLOCATOR,
    /**
     * torch.profiler: what the allocator held for each request, and what ran meanwhile. Its frames are functions, with the line at which each
     * begins; where memory lies, and what was requested, it does not say.
     */
    PROFILER
}
