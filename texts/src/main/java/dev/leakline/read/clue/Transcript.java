package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads sessions of Python's prompt: {@code >>> torch.cuda.memory_allocated() / 2**30} and the number in the next line, whose unit is the divisor in the
 * code; and the statistics of memory pools as Python shows a dict of them.
 */
final class Transcript {
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
    /** A prompt of Python, of IPython, or of a shell of PDB. */
    private static final Pattern PROMPT = Pattern.compile("^\\s{0,8}(?:>>>|in \\[\\d{1,5}\\]:|\\(pdb\\)) ");

    private static final Pattern CALL =
            Pattern.compile("\\b(" + String.join("|", CALLS.keySet()) + ")\\([^)]{0,40}\\)([^#,]{0,40})");
    private static final Pattern GIB =
            Pattern.compile("2 ?\\*\\* ?30|1024 ?\\*\\* ?3|1 ?<< ?30|1024 ?/ ?1024 ?/ ?1024|1024\\*1024\\*1024");
    private static final Pattern MIB =
            Pattern.compile("2 ?\\*\\* ?20|1024 ?\\*\\* ?2|1 ?<< ?20|1024 ?/ ?1024|1024 ?\\* ?1024");
    private static final Pattern OUTPUT = Pattern.compile("(?:out\\[\\d{1,5}\\]: ?)?[(\\[]?([\\d., ]{1,200})[)\\]]?");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}(?:\\.\\d{1,18})?");
    private static final Pattern PARTS = Pattern.compile("[ ,]+");

    /** A number that is about to be printed. */
    private record Awaited(Kind kind, double unit) {}

    private final Consumer<Clue> found;
    private final List<Awaited> awaited = new ArrayList<>();

    Transcript(Consumer<Clue> found) {
        this.found = found;
    }

    /** Returns whether the next line is the output of this one. */
    boolean isOpen() {
        return !awaited.isEmpty();
    }

    /** Takes a line in small letters, and as written. */
    void take(String small, String line, long number) {
        for (Matcher key = KEY.matcher(small); key.find(); ) {
            if (!key.group(1).equals("current") || small.contains("peak")) {
                say(new Awaited(KEYS.getOrDefault(key.group(1), Kind.USED), 1), key.group(2), line, number);
            }
        }
        if (PROMPT.matcher(small).lookingAt()) {
            awaited.clear();
            for (Matcher call = CALL.matcher(small); call.find(); ) {
                awaited.add(new Awaited(CALLS.getOrDefault(call.group(1), Kind.USED), unit(call.group(2))));
            }
        } else if (isOpen()) {
            output(small, line, number);
        }
    }

    /** As many numbers as calls are printed, and nothing else. */
    private void output(String small, String line, long number) {
        Matcher output = OUTPUT.matcher(small.strip());
        List<String> values =
                output.matches() ? List.of(PARTS.split(output.group(1).strip(), -1)) : List.of();
        if (values.size() == awaited.size()
                && values.stream().allMatch(value -> NUMBER.matcher(value).matches())) {
            for (int i = 0; i < values.size(); i++) {
                say(awaited.get(i), values.get(i), line, number);
            }
        }
        awaited.clear();
    }

    private void say(Awaited one, String value, String line, long number) {
        long bytes = Math.round(Double.parseDouble(value) * one.unit);
        if (bytes > 0) {
            found.accept(new Clue(one.kind, Resource.DEVICE, bytes, number, line.strip()));
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
