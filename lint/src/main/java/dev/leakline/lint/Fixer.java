package dev.leakline.lint;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import dev.leakline.lint.LintFinding.TextEdit;
import dev.leakline.python.PythonText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** Makes the edits of findings: in the files, or as a patch. Files that are not UTF-8 are left alone. */
public final class Fixer {
    private static final int CONTEXT_LINES = 3;
    /** Follows, in patches, a last line that nothing ends. */
    private static final String UNENDED = "\n\\ No newline at end of file";

    private Fixer() {}

    /** An edit by offsets. */
    private record Span(int start, int end, String text) implements Comparable<Span> {
        @Override
        public int compareTo(Span other) {
            int byStart = Integer.compare(start, other.start);
            int byEnd = byStart != 0 ? byStart : Integer.compare(end, other.end);
            return byEnd != 0 ? byEnd : text.compareTo(other.text);
        }
    }

    /** The text with the edits of all findings in it; of findings whose edits overlap, only those of the first. */
    public static String apply(String text, List<LintFinding> findings) {
        PythonText source = PythonText.of(text);
        TreeSet<Span> accepted = new TreeSet<>();
        for (LintFinding finding : findings) {
            List<Span> spans = finding.fix().edits().stream()
                    .map(edit -> span(source, edit))
                    .toList();
            if (spans.stream().noneMatch(span -> accepted.stream().anyMatch(other -> overlap(span, other)))) {
                accepted.addAll(spans);
            }
        }
        StringBuilder fixed = new StringBuilder(text);
        accepted.descendingSet().forEach(span -> fixed.replace(span.start(), span.end(), span.text()));
        return fixed.toString();
    }

    private static boolean overlap(Span a, Span b) {
        return a.start() < b.end() && b.start() < a.end();
    }

    private static Span span(PythonText source, TextEdit edit) {
        return new Span(
                source.offset(edit.range().line(), edit.range().column()),
                source.offset(edit.range().endLine(), edit.range().endColumn()),
                edit.text());
    }

    /** Writes the fixed files; returns how many findings they had. Of a file that cannot be written {@code failed} is told, and the rest is done. */
    public static int write(List<LintFinding> findings, BiConsumer<String, IOException> failed) {
        int count = 0;
        for (Map.Entry<String, List<LintFinding>> entry : byFile(findings).entrySet()) {
            try {
                count += write(Path.of(entry.getKey()), entry.getValue());
            } catch (IOException e) {
                failed.accept(entry.getKey(), e);
            }
        }
        return count;
    }

    private static int write(Path file, List<LintFinding> findings) throws IOException {
        String before = read(file);
        if (before == null) {
            return 0;
        }
        Path beside = Files.createTempFile(file.toAbsolutePath().getParent(), ".leakline-", ".tmp");
        try {
            Files.writeString(beside, apply(before, findings));
            if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.setPosixFilePermissions(beside, Files.getPosixFilePermissions(file));
            }
            Files.move(beside, file.toRealPath(), StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
        return findings.size();
    }

    /** The edits of all findings as one patch, but for files that cannot be read, of which {@code failed} is told. */
    public static String diff(List<LintFinding> findings, BiConsumer<String, IOException> failed) {
        StringBuilder patch = new StringBuilder();
        for (Map.Entry<String, List<LintFinding>> entry : byFile(findings).entrySet()) {
            try {
                String before = read(Path.of(entry.getKey()));
                if (before != null) {
                    patch.append(unified(entry.getKey(), entry.getKey(), before, apply(before, entry.getValue())));
                }
            } catch (IOException e) {
                failed.accept(entry.getKey(), e);
            }
        }
        return patch.toString();
    }

    /**
     * The edits of findings of one file as a patch that {@code git apply} and {@code patch -p1} take in the folder of the sources.
     *
     * @param name the file's path beneath that folder
     */
    static String patch(String name, String text, List<LintFinding> findings) {
        String end = name.indexOf(' ') < 0 ? "" : "\t"; // as Git ends names with blanks, so that they are read as one
        return unified("a/" + name + end, "b/" + name + end, text, apply(text, findings));
    }

    private static String unified(String oldName, String newName, String before, String after) {
        List<String> old = lines(before);
        List<String> lines = UnifiedDiffUtils.generateUnifiedDiff(
                oldName, newName, old, DiffUtils.diff(old, lines(after)), CONTEXT_LINES);
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }

    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
        String last = lines.removeLast();
        if (!last.isEmpty()) {
            lines.add(last + UNENDED);
        }
        return lines;
    }

    private static Map<String, List<LintFinding>> byFile(List<LintFinding> findings) {
        Map<String, List<LintFinding>> files = new LinkedHashMap<>();
        for (LintFinding finding : findings) {
            if (!finding.fix().edits().isEmpty()) {
                files.computeIfAbsent(finding.file(), _ -> new ArrayList<>()).add(finding);
            }
        }
        return files;
    }

    /** The text as it stands, a mark of byte order included, or null where it is not UTF-8. */
    private static @org.jspecify.annotations.Nullable String read(Path file) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
