package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what a program printed where code and output stand side by side: {@code >>> torch.cuda.memory_allocated() / 2**30} and the number in the
 * next line, {@code print(...) # 21.7}, {@code before it printed 1.3}. The divisor in the code is the unit.
 */
final class Prints {
    private static final Map<String, Kind> CALLS = Map.of(
            "memory_allocated", Kind.ALLOCATED,
            "max_memory_allocated", Kind.USED,
            "memory_reserved", Kind.RESERVED,
            "memory_cached", Kind.RESERVED,
            "max_memory_reserved", Kind.RESERVED);

    private static final Pattern CALL = Pattern.compile(
            "\\b(max_memory_allocated|memory_allocated|max_memory_reserved|memory_reserved|memory_cached)\\([^)]{0,40}\\)([^#,]{0,40})");
    private static final Pattern GIB =
            Pattern.compile("2 ?\\*\\* ?30|1024 ?\\*\\* ?3|1 ?<< ?30|1024 ?/ ?1024 ?/ ?1024|1024\\*1024\\*1024");
    private static final Pattern MIB =
            Pattern.compile("2 ?\\*\\* ?20|1024 ?\\*\\* ?2|1 ?<< ?20|1024 ?/ ?1024|1024 ?\\* ?1024");
    private static final Pattern NUMBER = Pattern.compile(
            "\\s*(?:[\\w .]{0,20}[:=] ?)?'?(\\d+(?:\\.\\d+)?)(?:e\\+?0?(\\d))?'?\\s*(?:gib|gb|mib|mb)?\\s*");
    private static final Pattern COMMENT =
            Pattern.compile("#\\s*(?:->|=>|prints?:?|about|~)?\\s*(\\d+(?:\\.\\d+)?)\\b");
    private static final Pattern BEFORE = Pattern.compile(
            "\\bbefore\\b.{0,60}?\\b(?:print(?:ed|s)?|was|were|is|showed|shows|says|said|had)\\b(?: about| around| only)? (\\d+(?:\\.\\d+)?)\\b(?! ?%)");

    private final Consumer<Clue> found;
    private Kind awaited = Kind.USED;
    private double unit;
    private boolean isAwaited;
    private long last;

    Prints(Consumer<Clue> found) {
        this.found = found;
    }

    /** Reads a line; false where it is none of these. */
    boolean read(String line, long number) {
        String small = line.toLowerCase(Locale.ROOT);
        Matcher call = CALL.matcher(small);
        if (call.find()) {
            awaited = CALLS.getOrDefault(call.group(1), Kind.USED);
            unit = unit(call.group(2));
            Matcher comment = COMMENT.matcher(small);
            isAwaited = !comment.find();
            if (!isAwaited) {
                say(Double.parseDouble(comment.group(1)), line, number);
            }
            return true;
        }
        boolean isOutput = isAwaited && !small.isBlank() && !small.startsWith("```");
        return isOutput ? value(small, line, number) : before(small, line, number);
    }

    private boolean value(String small, String line, long number) {
        isAwaited = false;
        Matcher value = NUMBER.matcher(small);
        if (value.matches()) {
            say(Double.parseDouble(value.group(1)), line, number);
        }
        return value.matches();
    }

    private boolean before(String small, String line, long number) {
        Matcher before = BEFORE.matcher(small);
        boolean isEarlier = unit > 1 && last > 0 && before.find();
        if (isEarlier) {
            long rise = last - Math.round(Double.parseDouble(before.group(1)) * unit);
            if (rise > 0) {
                found.accept(new Clue(Kind.GROWTH_TOTAL, Resource.DEVICE, rise, number, line.strip()));
            }
        }
        return isEarlier;
    }

    private void say(double value, String line, long number) {
        last = Math.round(value * unit);
        if (last > 0) {
            found.accept(new Clue(awaited, Resource.DEVICE, last, number, line.strip()));
        }
    }

    private static double unit(String divisor) {
        if (GIB.matcher(divisor).find()) {
            return ByteSize.GIB;
        }
        if (MIB.matcher(divisor).find()) {
            return ByteSize.MIB;
        }
        return divisor.contains("1e9") || divisor.contains("10**9")
                ? 1e9
                : divisor.contains("1e6") || divisor.contains("10**6") ? 1e6 : 1;
    }
}
