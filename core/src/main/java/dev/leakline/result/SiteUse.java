package dev.leakline.result;

import java.util.List;

/**
 * What one site had live at a moment.
 *
 * @param bytes held
 * @param requestedBytes requested
 * @param blocks allocations
 * @param stacks the stacks below the site, largest first, at most a few
 */
public record SiteUse(Site site, long bytes, long requestedBytes, int blocks, List<StackUse> stacks) {
    /** What one stack had live: frames innermost first. */
    public record StackUse(long bytes, int blocks, List<Frame> frames) {}
}
