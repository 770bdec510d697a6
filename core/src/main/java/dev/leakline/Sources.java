package dev.leakline;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.SourceLines;
import dev.leakline.result.Frame;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds lines of the user's source code to findings, if the files are available.
 *
 * <p>Paths come from the snapshot, which anybody may have made. So only regular files are opened whose name, links resolved, ends in
 * {@code .py}, of which no more than {@link #MOST_BYTES} are read; shares of other machines are never asked; and beneath a folder that
 * was named for this, nothing outside of it.
 */
public final class Sources {
    /** What is read of a file: the largest of CPython's standard library has a fifth of that. */
    private static final int MOST_BYTES = 4 << 20;
    /** Characters kept of a line; no terminal shows more. */
    private static final int MOST_COLUMNS = 200;
    /** Lines shown on either side of the one that matters. */
    private static final int CONTEXT = 2;
    /** The last parts of a path that are looked for; deeper folders do not make a file more certain. */
    private static final int MOST_PARTS = 32;

    private final List<Path> folders;

    private Sources(List<Path> folders) {
        this.folders = folders;
    }

    /**
     * The result, with the source of each finding whose file is found: at the path that the recording gives, else beneath one of the
     * folders, where the longest end of that path counts. Lines that a finding has already, because it comes from a report, stay
     * unless a folder was named and has the file: files change, and the report shows those that ran.
     */
    public static AnalysisResult attach(AnalysisResult result, List<Path> folders) {
        Sources sources = new Sources(folders);
        return result.withFindings(result.findings().stream()
                .map(finding -> finding.withSource(sources.find(finding)))
                .toList());
    }

    private @Nullable SourceLines find(Finding finding) {
        SourceLines known = finding.source();
        SourceLines found =
                known != null && folders.isEmpty() ? null : find(finding.site().frame());
        return found == null ? known : found;
    }

    private @Nullable SourceLines find(Frame frame) {
        if (frame.line() <= 0 || !isPython(frame.file())) {
            return null;
        }
        try {
            Path file = here(frame.file());
            file = file == null ? beneath(frame.file()) : file;
            return file == null ? null : read(file, frame.line());
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }

    private static boolean isPython(String name) {
        return name.endsWith(".py");
    }

    /** The file at the very path, unless that names another machine's share. */
    private static @Nullable Path here(String name) throws IOException {
        boolean isShare = name.length() > 1 && isSeparator(name.charAt(0)) && isSeparator(name.charAt(1));
        Path file = isShare ? null : Path.of(name);
        return file != null
                        && Files.isRegularFile(file)
                        && isPython(file.toRealPath().toString())
                ? file
                : null;
    }

    private static boolean isSeparator(char character) {
        return character == '/' || character == '\\';
    }

    /** The longest end of a path that there is beneath a folder; of equal ones that in the folder named first. */
    private @Nullable Path beneath(String name) throws IOException {
        List<String> parts = parts(name);
        for (int first = 0; first < parts.size(); first++) {
            String end = String.join("/", parts.subList(first, parts.size()));
            for (Path folder : folders) {
                Path file = folder.resolve(end);
                if (Files.isRegularFile(file) && isWithin(folder, file)) {
                    return file;
                }
            }
        }
        return null;
    }

    /** The parts of a path, however it is written; none where it climbs, because then its end means something else. */
    private static List<String> parts(String name) {
        List<String> parts = Arrays.stream(name.split("[/\\\\]", -1))
                .filter(part -> !part.isEmpty() && !part.equals("."))
                .toList();
        return parts.contains("..") ? List.of() : parts.subList(Math.max(parts.size() - MOST_PARTS, 0), parts.size());
    }

    private static boolean isWithin(Path folder, Path file) throws IOException {
        Path real = file.toRealPath();
        return real.startsWith(folder.toRealPath()) && isPython(real.toString());
    }

    /** The lines around one; null where the file does not have it, or nothing is on it, so that it is not the file that ran. */
    private static @Nullable SourceLines read(Path file, int line) throws IOException {
        int first = Math.max(line - CONTEXT, 1);
        List<String> lines = lines(file, first, line + (long) CONTEXT);
        int index = line - first;
        return index >= lines.size() || lines.get(index).isBlank()
                ? null
                : new SourceLines(file.toString(), first, lines);
    }

    private static List<String> lines(Path file, int first, long last) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            String text = new String(stream.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            List<String> lines = new ArrayList<>();
            text.lines()
                    .skip(first - 1L)
                    .limit(last - first + 1)
                    .map(Sources::cut)
                    .forEach(lines::add);
            return lines;
        }
    }

    private static String cut(String line) {
        if (line.length() <= MOST_COLUMNS) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(MOST_COLUMNS - 1)) ? MOST_COLUMNS - 1 : MOST_COLUMNS;
        return line.substring(0, end);
    }
}
