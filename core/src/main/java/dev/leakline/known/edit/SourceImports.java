package dev.leakline.known.edit;

import dev.leakline.known.edit.SourceEdit.Change;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Imports that an edit needs. */
final class SourceImports {
    private static final Pattern FIRST = Pattern.compile("(import\\s+\\w|from\\s+(?!__future__)[\\w.]+\\s+import).*");

    /** A statement that is no text, which may be what says what the file is for. */
    private static final Pattern STATEMENT = Pattern.compile("(?!from\\s+__future__)[A-Za-z_@].*");

    private SourceImports() {}

    /** Whether a file has a module by its own name: imports it, or uses it. */
    private static boolean has(List<String> file, String module) {
        String name = Pattern.quote(module);
        Pattern known = Pattern.compile(
                "import\\s+(.*,\\s*)?" + name + "\\s*(,.*|\\.\\w.*|#.*)?|[^#\"']*(?<![\\w.\"'])" + name + "\\.\\w.*");
        return file.stream().anyMatch(line -> known.matcher(line).matches());
    }

    /** A module's name before the first import of a file, or its first statement where it imports nothing; empty where it is there. */
    static Optional<Change> missing(List<String> file, String module) {
        return has(file, module)
                ? Optional.empty()
                : first(file, FIRST)
                        .or(() -> first(file, STATEMENT))
                        .map(line -> Change.of(file, line, "import " + module + "\n" + file.get(line - 1)));
    }

    private static Optional<Integer> first(List<String> file, Pattern wanted) {
        return IntStream.rangeClosed(1, file.size())
                .filter(line -> wanted.matcher(file.get(line - 1)).matches())
                .boxed()
                .findFirst();
    }
}
