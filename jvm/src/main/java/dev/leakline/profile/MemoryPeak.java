package dev.leakline.profile;

/**
 * The most memory over a stretch of time, bytes.
 *
 * @param used the most in use, by the same {@link Basis} as all of the result; {@link MemoryCounters#UNKNOWN} where nothing is known
 * @param reserved the most that the allocator had taken from the driver, likewise
 * @param isExact whether the source's own counter covers all of the stretch; else {@code used} is the highest that readings saw, and the
 *     truth may be higher
 */
public record MemoryPeak(long used, long reserved, boolean isExact) {
    /** The peak of two stretches together. */
    MemoryPeak and(MemoryPeak other) {
        return new MemoryPeak(Math.max(used, other.used), Math.max(reserved, other.reserved), isExact && other.isExact);
    }
}
