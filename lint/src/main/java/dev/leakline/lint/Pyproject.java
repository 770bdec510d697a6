package dev.leakline.lint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * A table of settings below {@code [tool.leakline]} of a {@code pyproject.toml}, or of another file in TOML.
 *
 * @param file where it stands, for errors
 * @param entries strings, numbers, truths, dates, lists and maps by their names; empty where there is no such table
 */
public record Pyproject(String file, Map<String, Object> entries) {
    private static final String FILE = "pyproject.toml";

    /** The table of the folder or the nearest one around it that has a pyproject.toml. Throws IllegalArgumentException where that is no TOML. */
    public static Pyproject near(Path path, String table) throws IOException {
        for (Path folder = path.toAbsolutePath().normalize(); folder != null; folder = folder.getParent()) {
            Path file = folder.resolve(FILE);
            if (Files.isRegularFile(file)) {
                return read(file, table);
            }
        }
        return new Pyproject(FILE, Map.of());
    }

    /** The table of a file. Throws IllegalArgumentException where that is no TOML. */
    public static Pyproject read(Path file, String table) throws IOException {
        return parse(Files.readString(file), file.toString(), table);
    }

    static Pyproject parse(String text, String file, String table) {
        TomlParseResult parsed = Toml.parse(text);
        if (parsed.hasErrors()) {
            throw new IllegalArgumentException(file + ": " + parsed.errors().getFirst());
        }
        TomlTable found = parsed.getTable("tool.leakline." + table);
        return new Pyproject(file, found == null ? Map.of() : plain(found));
    }

    private static Map<String, Object> plain(TomlTable table) {
        Map<String, Object> entries = table.toMap();
        entries.replaceAll((_, value) -> plain(value));
        return entries;
    }

    private static Object plain(Object value) {
        return switch (value) {
            case TomlTable table -> plain(table);
            case TomlArray array ->
                array.toList().stream().map(Pyproject::plain).toList();
            default -> value;
        };
    }
}
