package dev.leakline.lint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines that changed since a commit, as Git knows them; of files that it does not know yet, all. */
final class ChangedLines {
    private static final Pattern HUNK = Pattern.compile("^@@ -\\S+ \\+(\\d+)(?:,(\\d+))? @@");

    private static final int MOST_LINES = 1 << 20;

    private final Map<Path, BitSet> changed = new HashMap<>();

    private ChangedLines() {}

    /** Throws IllegalArgumentException if there is no such commit, or no repository. */
    static ChangedLines since(String commit, Path folder) {
        if (commit.startsWith("-")) {
            throw new IllegalArgumentException("--since needs a commit, branch or tag, not " + commit);
        }
        Path top = Path.of(git(folder, "rev-parse", "--show-toplevel").strip());
        ChangedLines lines = new ChangedLines();
        lines.read(
                git(
                        top,
                        "diff",
                        "--no-ext-diff",
                        "--no-color",
                        "--unified=0",
                        "--src-prefix=a/",
                        "--dst-prefix=b/",
                        commit,
                        "--"),
                top);
        for (String name :
                git(top, "ls-files", "--others", "--exclude-standard", "-z").split("\0", -1)) {
            if (!name.isEmpty()) {
                BitSet all = new BitSet();
                all.set(1, MOST_LINES);
                lines.changed.put(top.resolve(name), all);
            }
        }
        return lines;
    }

    private void read(String diff, Path top) {
        BitSet current = new BitSet();
        for (String line : diff.split("\n", -1)) {
            Matcher hunk = HUNK.matcher(line);
            if (line.startsWith("+++ b/")) {
                current = new BitSet();
                changed.put(top.resolve(line.substring("+++ b/".length()).strip()), current);
            } else if (hunk.find()) {
                int start = Integer.parseInt(hunk.group(1));
                int count = hunk.group(2) == null ? 1 : Integer.parseInt(hunk.group(2));
                current.set(start, start + count);
            }
        }
    }

    /** Returns whether any of these lines of a file changed. */
    boolean touches(String file, int first, int last) {
        try {
            Path real = Path.of(file).toRealPath();
            for (Map.Entry<Path, BitSet> entry : changed.entrySet()) {
                if (Files.exists(entry.getKey()) && entry.getKey().toRealPath().equals(real)) {
                    int next = entry.getValue().nextSetBit(first);
                    return next >= 0 && next <= last;
                }
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    private static String git(Path folder, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalArgumentException("git %s failed in %s: --since needs a repository and a commit of it"
                        .formatted(arguments[0], folder));
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
