package dev.leakline.python.edit;

import dev.leakline.python.PythonFile;
import dev.leakline.python.PythonText;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Edits of files as a unified diff, which {@code git apply} and {@code patch -p1} take in the folder of the sources. */
public final class Diff {
    private static final int CONTEXT = 3;
    /** Follows a last line that nothing ends. */
    private static final String UNENDED = "\n\\ No newline at end of file";
    /** Insertions before what is replaced at the same place, so that none is written over. */
    private static final Comparator<Edit> ORDER =
            Comparator.comparingInt(Edit::start).thenComparingInt(Edit::end);

    private final SourceFile file;
    private final List<String> old;
    private final StringBuilder diff = new StringBuilder();
    private int shift;

    /** Lines of the old file, from one to before another, and those in their place. */
    private record Change(int from, int to, List<String> lines) {}

    private Diff(SourceFile file) {
        this.file = file;
        this.old = lines(file.text().text());
    }

    /** The lines of a text with what ends them, but for the line feed. */
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        String last = lines.removeLast();
        if (!last.isEmpty()) {
            lines.add(last + UNENDED);
        }
        return lines;
    }

    /** The diff as {@code git apply} and {@code patch -p1} take it. */
    public static Optional<String> of(List<Edit> edits) {
        return of(edits, "a/", "b/");
    }

    /** The diff with something before the names of old and new files; empty where a file would not be Python any more, where edits meet, or where there is nothing to change. */
    public static Optional<String> of(List<Edit> edits, String old, String edited) {
        Map<SourceFile, List<Edit>> files =
                edits.stream().collect(Collectors.groupingBy(Edit::file, LinkedHashMap::new, Collectors.toList()));
        StringBuilder whole = new StringBuilder();
        for (Map.Entry<SourceFile, List<Edit>> entry : files.entrySet()) {
            List<Edit> sorted =
                    entry.getValue().stream().sorted(ORDER).distinct().toList();
            if (!isApart(sorted) || !isPython(entry.getKey(), sorted)) {
                return Optional.empty();
            }
            whole.append(new Diff(entry.getKey()).diff(sorted, old, edited));
        }
        return whole.isEmpty() ? Optional.empty() : Optional.of(whole.toString());
    }

    private static boolean isApart(List<Edit> sorted) {
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).start() < sorted.get(i - 1).end()) {
                return false;
            }
        }
        return true;
    }

    /** Tells whether the edited file has no more errors than it had. */
    private static boolean isPython(SourceFile file, List<Edit> sorted) {
        int before = PythonFile.parse(file.text()).errors().size();
        return PythonFile.parse(PythonText.of(edited(file, sorted))).errors().size() <= before;
    }

    /** The text of a file after edits. */
    public static String edited(SourceFile file, List<Edit> edits) {
        StringBuilder text = new StringBuilder(file.text().text());
        edits.stream()
                .sorted(ORDER)
                .distinct()
                .toList()
                .reversed()
                .forEach(edit -> text.replace(edit.start(), edit.end(), edit.text()));
        return text.toString();
    }

    private String diff(List<Edit> sorted, String before, String after) {
        List<Change> changes = changes(sorted);
        if (changes.isEmpty()) {
            return "";
        }
        String end =
                file.name().indexOf(' ') < 0 ? "" : "\t"; // as Git ends names with blanks, so that they are read as one
        diff.append("--- ").append(before).append(file.name()).append(end).append('\n');
        diff.append("+++ ").append(after).append(file.name()).append(end).append('\n');
        List<Change> hunk = new ArrayList<>();
        for (Change change : changes) {
            if (!hunk.isEmpty() && change.from > hunk.getLast().to + 2 * CONTEXT) {
                add(hunk);
                hunk.clear();
            }
            hunk.add(change);
        }
        add(hunk);
        return diff.toString();
    }

    /** The edits as changes of whole lines, without those at both ends that stay. */
    private List<Change> changes(List<Edit> sorted) {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < sorted.size(); ) {
            int first = file.text().line(sorted.get(i).start());
            int last = file.text().line(sorted.get(i).end());
            int next = i + 1;
            while (next < sorted.size() && file.text().line(sorted.get(next).start()) <= last) {
                last = Math.max(last, file.text().line(sorted.get(next).end()));
                next++;
            }
            List<Edit> edits = sorted.subList(i, next);
            i = next;
            changes.addAll(change(edits, first, last));
        }
        return changes;
    }

    private List<Change> change(List<Edit> edits, int first, int last) {
        int start = file.text().lineStart(first);
        boolean isLast = last >= file.text().lines();
        int end = isLast ? file.text().text().length() : file.text().lineStart(last + 1);
        StringBuilder text = new StringBuilder(file.text().text().substring(start, end));
        edits.reversed().forEach(edit -> text.replace(edit.start() - start, edit.end() - start, edit.text()));
        List<String> after = lines(text.toString());
        List<String> before = new ArrayList<>(old.subList(first - 1, Math.min(last, old.size())));
        int from = first - 1;
        while (!before.isEmpty() && !after.isEmpty() && before.getFirst().equals(after.getFirst())) {
            before.removeFirst();
            after.removeFirst();
            from++;
        }
        while (!before.isEmpty() && !after.isEmpty() && before.getLast().equals(after.getLast())) {
            before.removeLast();
            after.removeLast();
        }
        return before.isEmpty() && after.isEmpty() ? List.of() : List.of(new Change(from, from + before.size(), after));
    }

    private void add(List<Change> hunk) {
        int first = Math.max(hunk.getFirst().from - CONTEXT, 0);
        int end = Math.min(hunk.getLast().to + CONTEXT, old.size());
        StringBuilder lines = new StringBuilder();
        int next = first;
        int after = 0;
        for (Change change : hunk) {
            mark(lines, ' ', old.subList(next, change.from));
            mark(lines, '-', old.subList(change.from, change.to));
            mark(lines, '+', change.lines);
            after += change.lines.size() - (change.to - change.from);
            next = change.to;
        }
        mark(lines, ' ', old.subList(next, end));
        int size = end - first;
        diff.append("@@ -" + (first + 1) + "," + size + " +" + (first + 1 + shift) + "," + (size + after) + " @@\n")
                .append(lines);
        shift += after;
    }

    private static void mark(StringBuilder lines, char mark, List<String> marked) {
        marked.forEach(line -> lines.append(mark).append(line).append('\n'));
    }

    /** The lines that a diff of one edit removes and adds, in the order of the file, each block without its indentation. */
    public static List<String> sides(String diff) {
        return List.of(side(diff, '-'), side(diff, '+'));
    }

    private static String side(String diff, char mark) {
        return diff.lines()
                .filter(line -> !line.startsWith("---") && !line.startsWith("+++"))
                .filter(line -> !line.isEmpty() && line.charAt(0) == mark)
                .map(line -> line.substring(1))
                .collect(Collectors.joining("\n"))
                .stripIndent()
                .strip();
    }
}
