package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads profiles of a process's heap: what {@code jeprof --text} and {@code pprof -text} print of jemalloc's, tcmalloc's and Go's, and the statistics of
 * Python's {@code tracemalloc}. The first row has the most.
 */
final class HeapProfile {
    private static final String SIZE = "(\\d+(?:\\.\\d+)?) ?([kmgKMG]?i?[bB])?";
    private static final Pattern TOTAL = Pattern.compile("^\\s*Total: (\\d+(?:\\.\\d+)?) ?([kmgKMG]?i?[bB])\\b.*");
    private static final Pattern SHOWN = Pattern.compile(".*\\bof (\\d+(?:\\.\\d+)?) ?([kmgKMG]?i?[bB]) total\\b.*");
    /** Flat size and share, their sum so far, size and share with what is called. */
    private static final Pattern ROW = Pattern.compile("^\\s*" + SIZE + "\\s+\\d+(?:\\.\\d+)?%\\s+\\d+(?:\\.\\d+)?%\\s+"
            + SIZE + "\\s+\\d+(?:\\.\\d+)?%\\s+(\\S.*?)\\s*$");

    private static final Pattern TRACEMALLOC =
            Pattern.compile("^\\s*(?:#?\\d+: )?(\\S+:\\d+): size=(\\d+(?:\\.\\d+)?) ([KMG]?i?B)\\b.*\\bcount=\\d+.*");

    private final Consumer<Clue> found;
    private String unit = "";
    private boolean isKnown;

    HeapProfile(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes a line. */
    void take(String text, long number) {
        Matcher total = TOTAL.matcher(text);
        Matcher shown = SHOWN.matcher(text);
        if (total.matches() || shown.matches()) {
            Matcher head = total.matches() ? total : shown;
            unit = head.group(2);
            say(Kind.HEAP, head.group(1), unit, number, text.strip());
            isKnown = false;
        } else if (!isKnown) {
            takeRow(text, number);
        }
    }

    private void takeRow(String text, long number) {
        Matcher row = ROW.matcher(text);
        Matcher python = TRACEMALLOC.matcher(text);
        if (!unit.isEmpty() && row.matches()) {
            isKnown = true;
            say(Kind.HEAP_SITE, row.group(1), row.group(2) == null ? unit : row.group(2), number, row.group(5));
        } else if (python.matches()) {
            isKnown = true;
            say(Kind.HEAP_SITE, python.group(2), python.group(3), number, python.group(1));
        }
    }

    private void say(Kind kind, String size, String of, long number, String text) {
        long bytes = Amounts.bytes(size, of.toLowerCase(Locale.ROOT));
        if (bytes > 0) {
            found.accept(new Clue(kind, Resource.HOST, bytes, number, text));
        }
    }
}
