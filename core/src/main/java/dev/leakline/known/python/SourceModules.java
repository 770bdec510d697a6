package dev.leakline.known.python;

import dev.leakline.result.Frame;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The files of modules, by the names that Python imports them by.
 *
 * @param files the lines of a frame's file, none where it is not at hand
 */
public record SourceModules(Function<Frame, List<String>> files) {
    /** The file of a module that a frame's file may import: beside it, or beneath the folders of the sources; its first line, as a frame. */
    public Optional<Frame> file(Frame from, String module) {
        String folder = from.file().substring(0, from.file().lastIndexOf('/') + 1);
        String path = module.replaceFirst("^\\.+", "").replace('.', '/');
        return Stream.of(folder + path + ".py", folder + path + "/__init__.py", path + ".py", path + "/__init__.py")
                .map(file -> new Frame(file, 1, ""))
                .filter(file -> !files.apply(file).isEmpty())
                .findFirst();
    }

    /** The lines of a module that a frame's file imports from; none where it is not at hand. */
    public List<String> imported(Frame from, String module) {
        return file(from, module).map(files).orElseGet(List::of);
    }
}
