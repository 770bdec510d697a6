package dev.leakline.columns;

import java.util.Map;
import java.util.TreeMap;

/** Counts by name what a reader could not use: nothing in a file is dropped without being counted here. */
public final class IngestCounters {
    /** More names than this are summed up under {@link #OTHER}, so that a hostile file cannot fill memory with names. */
    private static final int MAX_NAMES = 256;
    /** Names longer than this are cut. */
    private static final int MAX_NAME = 80;

    /** Stands for all names beyond the first few hundred. */
    public static final String OTHER = "other";

    private final Map<String, Long> counts = new TreeMap<>();

    /** Counts one more under a name. */
    public void count(String name) {
        count(name, 1);
    }

    /** Counts more under a name. */
    public void count(String name, long more) {
        counts.merge(key(name), more, Long::sum);
    }

    /** Raises the counter of a name to {@code all} if it is lower; for data that is read more than once. */
    public void countOnce(String name, long all) {
        counts.merge(key(name), all, Math::max);
    }

    private String key(String name) {
        String key = name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name;
        return counts.size() < MAX_NAMES || counts.containsKey(key) ? key : OTHER;
    }

    /** The counts by name, in alphabetical order; a view. */
    public Map<String, Long> counts() {
        return java.util.Collections.unmodifiableMap(counts);
    }
}
