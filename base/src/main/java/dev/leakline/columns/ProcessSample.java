package dev.leakline.columns;

import org.jspecify.annotations.Nullable;

/**
 * A sample of what one process held at one moment, on one device and in host memory. Bytes are {@link #UNKNOWN} where nobody says.
 *
 * @param t seconds, of any clock that mostly goes forward
 * @param pid its number
 * @param name what it calls itself, null if not known
 * @param started what tells it from an earlier process of the same number, such as its start in clock ticks, or {@link #UNKNOWN}
 * @param device the GPU's number, negative where the sample is about host memory alone
 * @param used the memory that the driver counts for the process
 * @param reserved what PyTorch's allocator holds of it
 * @param allocated what tensors hold of that
 * @param pinned pinned host memory
 * @param rss resident host memory
 * @param rssChildren that of its children
 * @param deviceTotal the size of the device
 * @param hostLimit the host memory that it may use
 */
public record ProcessSample(
        double t,
        long pid,
        @Nullable String name,
        long started,
        int device,
        long used,
        long reserved,
        long allocated,
        long pinned,
        long rss,
        long rssChildren,
        long deviceTotal,
        long hostLimit) {
    /** Nobody says. */
    public static final long UNKNOWN = -1;

    /** The resident memory of the process and its children, or {@link #UNKNOWN}. */
    public long resident() {
        return rss < 0 ? UNKNOWN : rss + Math.max(rssChildren, 0);
    }
}
