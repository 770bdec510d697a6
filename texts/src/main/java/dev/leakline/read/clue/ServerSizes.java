package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what servers of language models print when they start: how much of a model fits the device, and how long a sequence. */
final class ServerSizes {
    private static final String SIZE = "(\\d+(?:\\.\\d+)?) ?([gm]i?b)\\b";
    /** llama.cpp. */
    private static final Pattern LAYERS = Pattern.compile("\\boffloaded (\\d+)/(\\d+) layers to gpu");
    /** Ollama's line for a model that it loads, and its table of those that run. */
    private static final Pattern SPLIT = Pattern.compile(
            "\\blayers\\.model=(\\d+) layers\\.offload=(\\d+)\\b.*?\\bmemory\\.required\\.full=\"?" + SIZE);

    private static final Pattern SHARES = Pattern.compile("\\b(\\d{1,2})%/(\\d{1,2})% cpu/gpu\\b");

    /** vLLM's, of the longest sequence that its pool has room for. */
    private static final Pattern FITTING = Pattern.compile(
            "\\bestimated maximum model length is (\\d{1,9})\\b|\\btokens that can be stored in kv cache \\((\\d{1,9})\\)");

    private final Consumer<Clue> found;

    ServerSizes(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes a line in small letters, and as written. */
    void take(String small, String written, long number) {
        fitting(small, written, number);
        Matcher layers = LAYERS.matcher(small);
        Matcher split = SPLIT.matcher(small);
        Matcher shares = SHARES.matcher(small);
        if (split.find()) {
            layers(split.group(2), split.group(1), Amounts.bytes(split.group(3), split.group(4)), number);
        } else if (layers.find()) {
            layers(layers.group(1), layers.group(2), 0, number);
        } else if (shares.find()) {
            partly(shares.group(1) + " % of the model are on the CPU", 0, number);
        }
    }

    private void fitting(String small, String written, long number) {
        Matcher fitting = FITTING.matcher(small);
        if (fitting.find()) {
            String length = fitting.group(1) == null ? fitting.group(2) : fitting.group(1);
            found.accept(new Clue(Kind.FITTING_LENGTH, null, Long.parseLong(length), number, written.strip()));
        }
    }

    private void layers(String on, String of, long bytes, long number) {
        if (Integer.parseInt(on) < Integer.parseInt(of)) {
            partly(on + " of " + of + " layers are on the GPU", bytes, number);
        }
    }

    private void partly(String text, long bytes, long number) {
        found.accept(new Clue(Kind.PARTLY_OFFLOADED, Resource.DEVICE, bytes, number, text));
    }
}
