package dev.leakline.lint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which files are new or were written since the last look. They are asked, not watched: not all file systems tell what changes. */
public final class ChangedFiles {
    private final List<Path> paths;
    private final Configuration configuration;
    private Map<Path, Stamp> seen = new HashMap<>();

    private record Stamp(FileTime time, long size) {}

    /** Looks for changes in these files, and in all Python files and notebooks in these folders. */
    public ChangedFiles(List<Path> paths, Configuration configuration) {
        this.paths = paths;
        this.configuration = configuration;
    }

    /** The first time all; a file that is gone is none. */
    public List<Path> next() {
        Map<Path, Stamp> now = new HashMap<>();
        List<Path> changed = new ArrayList<>();
        for (Path file : Lint.files(paths, configuration)) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                Stamp stamp = new Stamp(attributes.lastModifiedTime(), attributes.size());
                now.put(file, stamp);
                if (!stamp.equals(seen.get(file))) {
                    changed.add(file);
                }
            } catch (IOException e) {
                // gone between the two looks
            }
        }
        seen = now;
        return changed;
    }
}
