package dev.leakline.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file that the probe wrote in one process, by its name.
 *
 * @param stem the path without its ending: all files of a process begin with it
 * @param pid the number of the process
 * @param kind the ending without the first dot, such as {@code growth.pickle}
 */
public record ProbeFile(String stem, int pid, String kind) {
    /** Ending of the looks at the host's memory. */
    public static final String LOOKS = "memory.jsonl";
    /** Ending of the levels of the host's memory. */
    public static final String LEVELS = "host.jsonl";
    /** Ending of the figures of PyTorch's allocator. */
    public static final String COUNTERS = "counters.jsonl";

    private static final Pattern PATH =
            Pattern.compile("(.+-(\\d{1,9}))\\.((?:growth\\.)?pickle|(?:counters|host|memory)\\.jsonl"
                    + "|(?:(?:growth|growth-before)\\.)?holders)");

    /** The file of a path, null where its name is none that the probe gives. */
    public static @Nullable ProbeFile of(String path) {
        Matcher matcher = PATH.matcher(path);
        return matcher.matches()
                ? new ProbeFile(matcher.group(1), Integer.parseInt(matcher.group(2)), matcher.group(3))
                : null;
    }
}
