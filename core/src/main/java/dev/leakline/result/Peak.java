package dev.leakline.result;

import java.util.List;

/**
 * What was live at the moment when most was live.
 *
 * @param event the event after which it was, {@link DeviceResult#BEFORE} for before the first
 * @param timeMicros when, Unix microseconds, 0 where the recording has no times
 * @param bytes held for live allocations
 * @param requestedBytes requested for them
 * @param reservedBytes reserved from the driver
 * @param sites who had it, largest first; their bytes add up to {@code bytes} where none is unlisted
 * @param tree the same by calls, outermost first
 * @param breakdown the same by what it is for, by operators and by modules
 * @param unlisted sites that had less and are not in the list, because a report was read that did not name them
 */
public record Peak(
        int event,
        long timeMicros,
        long bytes,
        long requestedBytes,
        long reservedBytes,
        List<SiteUse> sites,
        List<CallTree> tree,
        Breakdown breakdown,
        int unlisted) {
    /** A peak whose sites are all listed. */
    public Peak(
            int event,
            long timeMicros,
            long bytes,
            long requestedBytes,
            long reservedBytes,
            List<SiteUse> sites,
            List<CallTree> tree,
            Breakdown breakdown) {
        this(event, timeMicros, bytes, requestedBytes, reservedBytes, sites, tree, breakdown, 0);
    }
}
