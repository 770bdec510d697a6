package dev.leakline.profile;

/** The counter used as memory in use: of those that the source knows, the one nearest to tensors. */
public enum Basis {
    /** Memory in live tensors. */
    ALLOCATED,
    /** Memory that the allocator has from the driver; freed tensors may stay in its cache. */
    RESERVED,
    /** Memory that the driver counts for the process. */
    HELD,
    /** Memory in use on the device, by whomever. */
    DEVICE,
    /** Nothing is known. */
    NONE;

    /** The name for people. */
    String words() {
        return switch (this) {
            case ALLOCATED -> "allocated";
            case RESERVED -> "reserved by the allocator";
            case HELD -> "held by the process";
            case DEVICE -> "in use on the device";
            case NONE -> "not known";
        };
    }

    /** The basis that counters allow. */
    static Basis of(MemoryCounters counters) {
        for (Basis basis : values()) {
            if (basis.used(counters) != MemoryCounters.UNKNOWN) {
                return basis;
            }
        }
        return NONE;
    }

    /** Bytes in use by this basis, {@link MemoryCounters#UNKNOWN} where the counters do not know. */
    public long used(MemoryCounters counters) {
        return switch (this) {
            case ALLOCATED -> counters.allocated();
            case RESERVED -> counters.reserved();
            case HELD -> counters.held();
            case DEVICE -> counters.deviceUsed();
            case NONE -> MemoryCounters.UNKNOWN;
        };
    }

    /** The most that was in use, as the source itself counts it; {@link MemoryCounters#UNKNOWN} where it does not. */
    long peak(MemoryCounters counters) {
        return switch (this) {
            case ALLOCATED -> counters.peakAllocated();
            case RESERVED -> counters.peakReserved();
            case HELD, DEVICE, NONE -> MemoryCounters.UNKNOWN;
        };
    }
}
