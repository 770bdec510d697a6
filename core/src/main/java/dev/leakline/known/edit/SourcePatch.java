package dev.leakline.known.edit;

import dev.leakline.known.edit.SourceEdit.Change;
import dev.leakline.known.edit.SourceFiles.Text;
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
        return isCut() ? "" : diff.toString();
    }

    /** Whether a line of the file is so long that it may not be all of it. */
    private boolean isCut() {
        return diff.toString()
                .lines()
                .anyMatch(line -> line.length() > SourceFiles.MOST_COLUMNS && line.charAt(0) != '+');
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
            List<String> read = text.lines().subList(change.line() - 1, next - 1);
            List<String> written = written(change);
            after += written.size() - read.size();
            boolean isBefore = !read.equals(written) && endsWith(written, read);
            boolean isBehind = !isBefore
                    && written.subList(0, Math.min(read.size(), written.size())).equals(read);
            mark(lines, ' ', isBehind ? read : List.of());
            mark(lines, '-', isBehind || isBefore ? List.of() : read);
            mark(
                    lines,
                    '+',
                    isBehind
                            ? written.subList(read.size(), written.size())
                            : isBefore ? written.subList(0, written.size() - read.size()) : written);
            mark(lines, ' ', isBefore ? read : List.of());
        }
        keep(lines, next, end);
        diff.append("@@ -" + first + "," + (end - first) + " +" + (first + shift) + "," + after + " @@\n")
                .append(lines);
        shift += after - (end - first);
    }

    private static boolean endsWith(List<String> written, List<String> read) {
        return written.size() >= read.size()
                && written.subList(written.size() - read.size(), written.size()).equals(read);
    }

    private void keep(StringBuilder lines, int from, int to) {
        mark(lines, ' ', text.lines().subList(from - 1, to - 1));
    }

    private static void mark(StringBuilder lines, char mark, List<String> marked) {
        marked.forEach(line -> lines.append(mark).append(line).append('\n'));
    }

    private int end(Change change) {
        return text.statements().end(change.line());
    }

    /** The lines of a change, with the comment that stood behind the statement: where that stays, else at their end. */
    private List<String> written(Change change) {
        String line = text.lines().get(change.line() - 1).stripTrailing();
        int end = line.length() - line.stripLeading().length() + change.before().length();
        List<String> written = new ArrayList<>(change.after().lines().toList());
        if (!written.isEmpty()
                && line.length() > end
                && line.substring(end).strip().startsWith("#")) {
            int place = written.getFirst().strip().equals(change.before()) ? 0 : written.size() - 1;
            written.set(place, written.get(place) + line.substring(end));
        }
        return written;
    }
}
