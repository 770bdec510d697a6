package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what a program printed where code and output stand side by side: {@code >>> torch.cuda.memory_allocated() / 2**30} and the number in the
 * next line, {@code print(...) # 21.7}, {@code before it printed 1.3}. The divisor in the code is the unit.
 */
final class Prints {
    /** Functions that return bytes: of PyTorch, of CuPy's pool, of PyTorch on Apple's devices. */
    private static final Map<String, Kind> CALLS = Map.of(
            "memory_allocated", Kind.ALLOCATED,
            "max_memory_allocated", Kind.USED,
            "memory_reserved", Kind.RESERVED,
            "memory_cached", Kind.RESERVED,
            "max_memory_reserved", Kind.RESERVED,
            "used_bytes", Kind.ALLOCATED,
            "total_bytes", Kind.RESERVED,
            "current_allocated_memory", Kind.ALLOCATED,
            "driver_allocated_memory", Kind.RESERVED);
    /** Keys of what pools return as dicts or print as lines: JAX, RMM, TensorFlow. */
    private static final Map<String, Kind> KEYS = Map.of(
            "bytes_in_use", Kind.ALLOCATED,
            "current_bytes", Kind.ALLOCATED,
            "current", Kind.ALLOCATED,
            "pool_bytes", Kind.RESERVED,
            "bytes_reserved", Kind.RESERVED);

    private static final Pattern KEY =
            Pattern.compile("['\"]?\\b(" + String.join("|", KEYS.keySet()) + ")['\"]?\\s*[:=]\\s*(\\d{5,18})\\b");
    private static final Pattern CALL =
            Pattern.compile("\\b(" + String.join("|", CALLS.keySet()) + ")\\([^)]{0,40}\\)([^#,]{0,40})");
    private static final Pattern USED_NOW =
            Pattern.compile("\\b(?:memory_allocated|memory_reserved|memory_cached|current_allocated_memory)\\(");
    /** A size in a sentence, with its unit. */
    private static final Pattern SIZE = Pattern.compile("(?<![\\w.*])(\\d+(?:\\.\\d+)?) ?([kmgt]i?b)\\b");

    private static final Pattern GIB =
            Pattern.compile("2 ?\\*\\* ?30|1024 ?\\*\\* ?3|1 ?<< ?30|1024 ?/ ?1024 ?/ ?1024|1024\\*1024\\*1024");
    private static final Pattern MIB =
            Pattern.compile("2 ?\\*\\* ?20|1024 ?\\*\\* ?2|1 ?<< ?20|1024 ?/ ?1024|1024 ?\\* ?1024");
    private static final Pattern NUMBER =
            Pattern.compile("(?:[a-z_ .]{0,20}[:=] ?)?'?\\d+(?:\\.\\d+)?'?(?: ?[gm]i?b)?");
    private static final Pattern DIGITS = Pattern.compile("\\d+(?:\\.\\d+)?");
    private static final Pattern PARTS = Pattern.compile("[ ,]+");
    private static final Pattern COMMENT =
            Pattern.compile("#\\s*(?:->|=>|prints?:?|about|~)?\\s*(\\d+(?:\\.\\d+)?)\\b");
    private static final Pattern BEFORE = Pattern.compile(
            "\\bbefore\\b.{0,60}?\\b(?:print(?:ed|s)?|was|were|is|showed|shows|says|said|had)\\b(?: about| around| only)? (\\d+(?:\\.\\d+)?)\\b(?! ?%)");

    private final Consumer<Clue> found;
    /** A number that is about to be printed. */
    private record Awaited(Kind kind, double unit) {}

    private final List<Awaited> awaited = new ArrayList<>();
    private double unit;
    private long last;

    Prints(Consumer<Clue> found) {
        this.found = found;
    }

    /** Reads a line; false where it is none of these. */
    boolean read(String line, long number) {
        String small = line.toLowerCase(Locale.ROOT);
        keys(small, line, number);
        if (calls(small)) {
            List<MatchResult> sizes = SIZE.matcher(small).results().toList();
            if (!sizes.isEmpty() && small.indexOf('#') < 0) {
                sentence(sizes, line, number);
                return false;
            }
            Matcher comment = COMMENT.matcher(small);
            if (comment.find()) {
                say(awaited.getFirst(), comment.group(1), line, number);
                awaited.clear();
            }
            return true;
        }
        boolean isOutput = !awaited.isEmpty() && !small.isBlank() && !small.startsWith("```");
        return isOutput ? values(small, line, number) : before(small, line, number);
    }

    private void keys(String small, String line, long number) {
        for (Matcher key = KEY.matcher(small); key.find(); ) {
            if (!key.group(1).equals("current") || small.contains("peak")) {
                say(new Awaited(KEYS.getOrDefault(key.group(1), Kind.USED), 1), key.group(2), line, number);
            }
        }
    }

    /** Code that is named in a sentence, with its value behind: {@code memory_allocated() is 2.4 GiB}. */
    private void sentence(List<MatchResult> sizes, String line, long number) {
        if (awaited.size() == 1 && sizes.size() == 1) {
            double bytes = Amounts.unit(sizes.getFirst().group(2));
            say(new Awaited(awaited.getFirst().kind, bytes), sizes.getFirst().group(1), line, number);
        }
        awaited.clear();
    }

    private boolean calls(String small) {
        Matcher call = CALL.matcher(small);
        boolean isFirst = true;
        while (call.find()) {
            if (isFirst) {
                awaited.clear();
            }
            isFirst = false;
            unit = unit(call.group(2));
            awaited.add(new Awaited(CALLS.getOrDefault(call.group(1), Kind.USED), unit));
        }
        return !isFirst;
    }

    /** As many numbers as calls are printed, and nothing else. */
    private boolean values(String small, String line, long number) {
        List<String> values = List.of(PARTS.split(small.strip().replaceAll("[()\\[\\]]", ""), -1));
        boolean isAll = values.size() == awaited.size()
                && values.stream().allMatch(value -> NUMBER.matcher(value).matches());
        for (int i = 0; isAll && i < values.size(); i++) {
            say(awaited.get(i), values.get(i), line, number);
        }
        awaited.clear();
        return isAll;
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

    private void say(Awaited one, String value, String line, long number) {
        Matcher digits = DIGITS.matcher(value);
        last = digits.find() ? Math.round(Double.parseDouble(digits.group()) * one.unit) : 0;
        if (last > 0) {
            found.accept(new Clue(one.kind, Resource.DEVICE, last, number, line.strip()));
        }
    }

    /** Whether an expression in Python is an amount of a device's memory in use. */
    static boolean isMemory(String expression) {
        return USED_NOW.matcher(expression).find();
    }

    static double unit(String divisor) {
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
