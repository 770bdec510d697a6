package dev.leakline.result;

import io.avaje.jsonb.Json;
import java.util.List;

/**
 * The memory that one site had live at a moment.
 *
 * @param kind the site's kind
 * @param file the site's file
 * @param line the site's line
 * @param function the site's function
 * @param bytes held
 * @param requestedBytes requested, -1 where a profiler recorded it
 * @param blocks allocations
 * @param share of all that was live, from 0 to 1
 * @param stacks the stacks below the site, largest first, at most a few
 */
public record SiteUse(
        Site.Kind kind,
        String file,
        int line,
        String function,
        long bytes,
        @Json.Serializer(UnknownIfNegative.class) long requestedBytes,
        int blocks,
        double share,
        List<StackUse> stacks) {
    /** Makes the use of a site from what it had live. */
    public static SiteUse of(
            Site site, long bytes, long requestedBytes, int blocks, double share, List<StackUse> stacks) {
        return new SiteUse(
                site.kind(), site.file(), site.line(), site.function(), bytes, requestedBytes, blocks, share, stacks);
    }

    /** The site. */
    public Site site() {
        return new Site(kind, file, line, function);
    }

    /** The site in full; safe to show. */
    @Json.Property("label")
    public String label() {
        return site().label();
    }

    /** A copy without its stacks. */
    public SiteUse withoutStacks() {
        return new SiteUse(kind, file, line, function, bytes, requestedBytes, blocks, share, List.of());
    }

    /** The memory that one stack had live: frames innermost first. */
    public record StackUse(long bytes, int blocks, List<Frame> frames) {}
}
