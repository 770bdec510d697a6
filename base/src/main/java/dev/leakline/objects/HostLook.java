package dev.leakline.objects;

import dev.leakline.result.HostMemory.Kind;
import java.util.List;
import java.util.Map;

/**
 * A look at the host's memory of a process.
 *
 * @param seconds when, since the epoch
 * @param pid the process
 * @param steps how many steps the job had done, -1 where it counts none
 * @param resident the resident set
 * @param parts what that and the processes below are used for
 * @param children bytes that each process below has alone or shares no more, by its number; the largest
 * @param piles the collections that grow, those with most bytes first
 * @param versions of the packages that are imported
 * @param calls the calls of native code with most bytes in use, where they are sampled
 * @param isSampled whether they are
 * @param trouble why they are not, where that was requested; empty where they are, and where nobody asked
 * @param isCoarse whether no copy of the process has looked at its objects, so that only the system was asked
 * @param remark why that is, or by how many objects the parts were estimated; empty where all were looked at
 */
public record HostLook(
        double seconds,
        long pid,
        long steps,
        long resident,
        Map<Kind, Long> parts,
        Map<Long, Long> children,
        List<HostPile> piles,
        Map<String, String> versions,
        List<HostCall> calls,
        boolean isSampled,
        String trouble,
        boolean isCoarse,
        String remark) {
    /** Bytes of a part. */
    public long bytes(Kind kind) {
        return parts.getOrDefault(kind, 0L);
    }
}
