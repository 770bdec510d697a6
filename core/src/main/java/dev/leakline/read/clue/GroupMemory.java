package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the kernel prints of a control group that reached its limit: {@code Memory cgroup stats for /docker/...}, then a line for each kind of memory. */
final class GroupMemory {
    private static final Pattern HEAD = Pattern.compile("memory cgroup stats for ");
    /** Bytes in version 2 of control groups; in version 1 all stand in one line, {@code shmem:1024KB}. */
    private static final Pattern SHARED = Pattern.compile("(?:^|\\s)shmem(?: |:)(\\d{1,18})(kb)?\\b");

    private final Consumer<Clue> found;
    private boolean isOpen;

    GroupMemory(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes a line in small letters. */
    void take(String small, long number) {
        isOpen |= HEAD.matcher(small).find();
        Matcher shared = SHARED.matcher(small);
        if (isOpen && shared.find()) {
            isOpen = false;
            long bytes = Amounts.bytes(shared.group(1), shared.group(2) == null ? "bytes" : "kb");
            found.accept(new Clue(Kind.GROUP_SHARED, Resource.HOST, bytes, number, small.strip()));
        }
    }
}
