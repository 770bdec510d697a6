package dev.leakline.python.flow;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The files of a program that are at hand, each read once. */
public final class Program {
    /** Files that are read of one program: what imports reach beyond is not connected with a line by a reader either. */
    private static final int MOST_FILES = 32;

    /** Finds the files that a file imports. */
    public interface Imports {
        /** The file of a module that another imports by a name, dots in front as they are written; null where it is not at hand. */
        @Nullable
        SourceFile of(SourceFile from, String module);
    }

    private final Imports imports;
    private final Map<String, SourceFile> files = new LinkedHashMap<>();

    public Program(Imports imports) {
        this.imports = imports;
    }

    /** Adds a file. */
    public void add(SourceFile file) {
        if (files.size() < MOST_FILES) {
            files.putIfAbsent(file.name(), file);
        }
    }

    public Collection<SourceFile> files() {
        return files.values();
    }

    Optional<SourceFile> imported(SourceFile from, String module) {
        SourceFile found = imports.of(from, module);
        if (found == null) {
            return Optional.empty();
        }
        add(found);
        return Optional.ofNullable(files.get(found.name()));
    }
}
