package dev.leakline.known.source;

import dev.leakline.python.flow.SourceFile;
import dev.leakline.result.Frame;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The files of frames, each read once. */
public final class SourceFiles {
    private final Function<Frame, String> names;
    private final Function<Frame, String> texts;
    private final Map<String, Optional<SourceFile>> files = new HashMap<>();

    /**
     * Files.
     *
     * @param names the path of a frame's file in patches, empty where it cannot be patched
     * @param texts all of its text, empty where it is not at hand
     */
    public SourceFiles(Function<Frame, String> names, Function<Frame, String> texts) {
        this.names = names;
        this.texts = texts;
    }

    /** The syntax tree of a frame's file; empty where it is not at hand. */
    public Optional<SourceFile> of(Frame frame) {
        Optional<SourceFile> known = files.get(frame.file());
        if (known == null) {
            String text = texts.apply(frame);
            known = text.isEmpty() ? Optional.empty() : Optional.of(new SourceFile(name(frame), text));
            files.put(frame.file(), known);
        }
        return known;
    }

    /** Returns whether patches can name a file. */
    boolean isPatchable(SourceFile file) {
        return files.entrySet().stream()
                .filter(entry -> entry.getValue().filter(file::equals).isPresent())
                .noneMatch(
                        entry -> names.apply(new Frame(entry.getKey(), 1, "")).isEmpty());
    }

    /** The file of a module that a frame's file may import: beside it, or beneath the folders of the sources. */
    public Optional<SourceFile> module(Frame from, String module) {
        String folder = from.file().substring(0, from.file().lastIndexOf('/') + 1);
        String path = module.replaceFirst("^\\.+", "").replace('.', '/');
        return Stream.of(folder + path + ".py", folder + path + "/__init__.py", path + ".py", path + "/__init__.py")
                .flatMap(file -> of(new Frame(file, 1, "")).stream())
                .findFirst();
    }

    private String name(Frame frame) {
        String name = names.apply(frame);
        return name.isEmpty() ? frame.file() : name;
    }
}
