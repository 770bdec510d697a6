package dev.leakline.lint;

import dev.leakline.lint.LintFinding.TextEdit;
import dev.leakline.python.edit.Diff;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** Makes the edits of findings: in the files, or as a patch. Files that are not UTF-8 are left alone. */
public final class Fixer {
    private Fixer() {}

    /** The text with the edits of all findings in it; of findings whose edits overlap, only those of the first. */
    public static String apply(String text, List<LintFinding> findings) {
        SourceFile file = new SourceFile("", text);
        return Diff.edited(file, edits(file, findings));
    }

    private static List<Edit> edits(SourceFile file, List<LintFinding> findings) {
        Set<Edit> accepted = new LinkedHashSet<>();
        for (LintFinding finding : findings) {
            List<Edit> edits =
                    finding.fix().edits().stream().map(edit -> edit(file, edit)).toList();
            if (edits.stream().noneMatch(edit -> accepted.stream().anyMatch(other -> overlap(edit, other)))) {
                accepted.addAll(edits);
            }
        }
        return List.copyOf(accepted);
    }

    private static boolean overlap(Edit a, Edit b) {
        return a.start() < b.end() && b.start() < a.end();
    }

    private static Edit edit(SourceFile file, TextEdit edit) {
        return new Edit(
                file,
                file.text().offset(edit.range().line(), edit.range().column()),
                file.text().offset(edit.range().endLine(), edit.range().endColumn()),
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
                    SourceFile file = new SourceFile(entry.getKey(), before);
                    patch.append(Diff.of(edits(file, entry.getValue()), "", "").orElse(""));
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
        SourceFile file = new SourceFile(name, text);
        return Diff.of(edits(file, findings)).orElse("");
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
