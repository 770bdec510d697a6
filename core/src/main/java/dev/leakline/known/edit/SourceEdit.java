package dev.leakline.known.edit;

import dev.leakline.known.AdvisedLimit;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.PatchSafety;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An edit of the source: lines in the place of others. */
public record SourceEdit(List<Change> changes) {
    /** No edit. */
    public static final SourceEdit NONE = new SourceEdit(List.of());

    /**
     * A statement with what is to be written in its place.
     *
     * @param file the lines of the file
     * @param line the number of its line
     * @param after the lines that are written; empty where the statement goes
     */
    public record Change(List<String> file, int line, String after) {
        /** A change whose lines are indented as the statement is. */
        public static Change of(List<String> file, int line, String after) {
            String text = file.get(line - 1);
            String indent =
                    text.substring(0, text.length() - text.stripLeading().length());
            return new Change(file, line, after.lines().map(indent::concat).collect(Collectors.joining("\n")));
        }

        /** The statement as it is. */
        public String before() {
            return file.get(line - 1).strip();
        }
    }

    /** An edit of one statement. */
    public static SourceEdit of(List<String> file, int line, String after) {
        return new SourceEdit(List.of(Change.of(file, line, after)));
    }

    /** It with an import that it needs, where a file does not have that. */
    public SourceEdit importing(List<String> file, String module) {
        return SourceImports.missing(file, module)
                .map(change -> new SourceEdit(
                        Stream.concat(Stream.of(change), changes.stream()).toList()))
                .orElse(this);
    }

    /** Advice with this edit, as a patch where the file is one that can be patched, else as an example; and a limit for what grows. */
    public Advice in(Advice advice, int limit, SourceFiles files) {
        String patch = isWhole() ? SourcePatch.of(limited(limit), files) : "";
        return patch.isEmpty()
                ? asExample(advice, limit)
                : advice.withPatch(
                        patch,
                        PatchSafety.REVIEW,
                        "The edit was made by the lines alone: see that it does what is meant.");
    }

    /** Advice with the statements of this edit as its example. */
    public Advice asExample(Advice advice, int limit) {
        List<Change> limited = limited(limit);
        return limited.isEmpty() ? without(advice) : advice.withExample(lines(limited, true), lines(limited, false));
    }

    private List<Change> limited(int limit) {
        return changes.stream()
                .map(change -> new Change(change.file(), change.line(), AdvisedLimit.in(change.after(), limit)))
                .filter(change -> !change.after().strip().equals(change.before()))
                .toList();
    }

    private static String lines(List<Change> changes, boolean isBefore) {
        return changes.stream()
                .map(change -> isBefore ? change.before() : change.after().stripIndent())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    /** Whether nothing is left to the reader, as dots and comments do. */
    private boolean isWhole() {
        return changes.stream().noneMatch(change -> change.after().matches("(?s).*(; \\.\\.\\.|\\S  # ).*"));
    }

    /** Advice for a source at hand without an example, whose lines the source does not have. */
    public static Advice without(Advice advice) {
        return advice.patch() == null ? advice.withExample("", "") : advice;
    }
}
