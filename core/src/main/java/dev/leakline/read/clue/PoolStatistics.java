package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the statistics that the allocator of XLA and TensorFlow prints where it fails: {@code Limit: 7570718720}, then {@code InUse: 6711934976}. */
final class PoolStatistics {
    private static final Pattern LIMIT = Pattern.compile("(?:^|\\s)limit:\\s+(\\d{6,18})\\s*$");
    private static final Pattern IN_USE = Pattern.compile("(?:^|\\s)inuse:\\s+(\\d{6,18})\\s*$");

    private final Consumer<Clue> found;
    private boolean isOpen;

    PoolStatistics(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes a line in small letters. */
    void take(String small, long number) {
        Matcher limit = LIMIT.matcher(small);
        Matcher used = IN_USE.matcher(small);
        if (limit.find()) {
            say(Kind.POOL_LIMIT, limit, number);
            isOpen = true;
        } else if (isOpen && used.find()) {
            say(Kind.POOL_USED, used, number);
            isOpen = false;
        }
    }

    private void say(Kind kind, Matcher size, long number) {
        found.accept(new Clue(
                kind,
                Resource.DEVICE,
                Amounts.bytes(size.group(1), "bytes"),
                number,
                size.group().strip()));
    }
}
