package dev.leakline.known.source;

import dev.leakline.known.source.SourceEdit.Change;
import dev.leakline.known.source.SourceFiles.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Changes of statements as a unified diff, which {@code git apply} and {@code patch -p1} take in the folder of the sources. */
final class SourcePatch {
    private static final int CONTEXT_LINES = 3;

    private final Text text;
    private final StringBuilder diff = new StringBuilder();
    /** Lines that came so far, less those that went. */
    private int shift;

    private SourcePatch(Text text) {
        this.text = text;
    }

    /** The patch of changes; empty where there are none, or one of them is in a file that cannot be patched. */
    static String of(List<Change> changes, SourceFiles files) {
        Map<Text, List<Change>> byFile = new LinkedHashMap<>();
        for (Change change : changes) {
            Text text = files.of(change.file()).orElse(null);
            if (text == null || text.name().isEmpty()) {
                return "";
            }
            byFile.computeIfAbsent(text, _ -> new ArrayList<>()).add(change);
        }
        return byFile.entrySet().stream()
                .map(entry -> new SourcePatch(entry.getKey()).of(entry.getValue()))
                .collect(Collectors.joining());
    }

    private String of(List<Change> changes) {
        String end =
                text.name().indexOf(' ') < 0 ? "" : "\t"; // as Git ends names with blanks, so that they are read as one
        diff.append("--- a/").append(text.name()).append(end).append('\n');
        diff.append("+++ b/").append(text.name()).append(end).append('\n');
        List<Change> hunk = new ArrayList<>();
        for (Change change :
                changes.stream().sorted(Comparator.comparingInt(Change::line)).toList()) {
            if (!hunk.isEmpty() && change.line() > end(hunk.getLast()) + 2 * CONTEXT_LINES) {
                add(hunk);
                hunk.clear();
            }
            hunk.add(change);
        }
        add(hunk);
        return diff.toString();
    }

    private void add(List<Change> hunk) {
        int first = Math.max(hunk.getFirst().line() - CONTEXT_LINES, 1);
        int end = Math.min(end(hunk.getLast()) + CONTEXT_LINES, text.lines().size() + 1);
        StringBuilder lines = new StringBuilder();
        int after = end - first;
        int next = first;
        for (Change change : hunk) {
            keep(lines, next, change.line());
            next = end(change);
            for (int line = change.line(); line < next; line++) {
                lines.append('-').append(text.lines().get(line - 1)).append('\n');
            }
            List<String> written = written(change);
            written.forEach(line -> lines.append('+').append(line).append('\n'));
            after += written.size() - (next - change.line());
        }
        keep(lines, next, end);
        diff.append("@@ -" + first + "," + (end - first) + " +" + (first + shift) + "," + after + " @@\n")
                .append(lines);
        shift += after - (end - first);
    }

    private void keep(StringBuilder lines, int from, int to) {
        for (int line = from; line < to; line++) {
            lines.append(' ').append(text.lines().get(line - 1)).append('\n');
        }
    }

    private int end(Change change) {
        return text.statements().end(change.line());
    }

    /** The lines of a change, with the comment that stood behind the statement. */
    private List<String> written(Change change) {
        String line = text.lines().get(change.line() - 1).stripTrailing();
        int end = line.length() - line.stripLeading().length() + change.before().length();
        List<String> written = new ArrayList<>(change.after().lines().toList());
        if (!written.isEmpty()
                && line.length() > end
                && line.substring(end).strip().startsWith("#")) {
            written.add(written.removeLast() + line.substring(end));
        }
        return written;
    }
}
