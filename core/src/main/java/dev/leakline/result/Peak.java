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
 * @param sites who had it, largest first; their bytes add up to {@code bytes}
 * @param tree the same by calls, outermost first
 */
public record Peak(
        int event,
        long timeMicros,
        long bytes,
        long requestedBytes,
        long reservedBytes,
        List<SiteUse> sites,
        List<CallTree> tree) {}
