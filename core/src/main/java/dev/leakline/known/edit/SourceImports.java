package dev.leakline.known.edit;

import dev.leakline.known.edit.SourceEdit.Change;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Imports that an edit needs. */
final class SourceImports {
    private static final Pattern FIRST = Pattern.compile("(import\\s+\\w|from\\s+(?!__future__)[\\w.]+\\s+import).*");

    private SourceImports() {}

    /** Whether a file imports a module by its own name. */
    static boolean has(List<String> file, String module) {
        Pattern imported = Pattern.compile("import\\s+(.*,\\s*)?" + Pattern.quote(module) + "\\s*(,.*|\\.\\w.*|#.*)?");
        return file.stream().anyMatch(line -> imported.matcher(line).matches());
    }

    /** A module's name before the first import of a file; empty where it is there, or the file imports nothing. */
    static Optional<Change> missing(List<String> file, String module) {
        return has(file, module)
                ? Optional.empty()
                : IntStream.rangeClosed(1, file.size())
                        .filter(line -> FIRST.matcher(file.get(line - 1)).matches())
                        .boxed()
                        .findFirst()
                        .map(line -> Change.of(file, line, "import " + module + "\n" + file.get(line - 1)));
    }
}
