package dev.leakline.known;

import dev.leakline.result.Finding;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Growth;
import dev.leakline.result.Holders.Accumulation;
import java.util.Objects;
import java.util.regex.Pattern;

/** How many entries a collection should be allowed that had none: few enough to be full early in a run as long as the one that was seen. */
public final class AdvisedLimit {
    /** Where nobody saw how many there were, and at most: entries with tensors are larger than those for which Python keeps 128. */
    public static final int MOST = 64;
    /** Full after a quarter of the run, the collection is seen to stay for most of it. */
    private static final int PART = 4;
    /** The limit in a line of advice, where it has one. */
    private static final Pattern LIMIT = Pattern.compile("(?<=maxlen=|maxsize=|\\) > |\\[:-)" + MOST + "\\b");

    private AdvisedLimit() {}

    /** The limit for what grew. */
    public static int of(Finding finding) {
        Growth growth = finding.growth();
        int rises = growth == null ? 0 : growth.rises();
        long items = items(finding);
        return of(items > 0 && items < rises ? (int) items : rises);
    }

    /** The items of the container in which most of it piles up, 0 where no dump shows it: several calls may add to one item. */
    private static long items(Finding finding) {
        return finding.holders().stream()
                .limit(1)
                .map(FindingHolder::accumulation)
                .filter(Objects::nonNull)
                .mapToLong(Accumulation::items)
                .sum();
    }

    /** The limit where something was added so many times; a power of two, since no more is known of it; {@link #MOST} for 0. */
    public static int of(int times) {
        return times == 0 ? MOST : Math.min(Integer.highestOneBit(Math.max(times / PART, 1)), MOST);
    }

    /** A line of advice with another limit than {@link #MOST}. */
    public static String in(String line, int limit) {
        return LIMIT.matcher(line).replaceAll(String.valueOf(limit));
    }
}
