package dev.leakline.known.edit;

import dev.leakline.known.python.PythonStatements;
import dev.leakline.known.python.SourceModules;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.result.Frame;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The files of frames, read once, each statement on one line. */
public final class SourceFiles {
    /** What is read of a line; no terminal shows more. */
    public static final int MOST_COLUMNS = 200;

    /**
     * A file.
     *
     * @param name its path in patches; empty where it cannot be patched
     * @param lines its lines as they are
     * @param statements its statements
     */
    record Text(String name, List<String> lines, PythonStatements statements) {}

    private final Function<Frame, List<String>> lines;
    private final Function<Frame, String> names;
    private final Function<Frame, String> texts;
    private final Map<String, Text> known = new HashMap<>();
    private final Map<String, SourceFile> parsed = new HashMap<>();

    /**
     * Files.
     *
     * @param lines the lines of a frame's file, none where it is not at hand
     * @param names its path in patches, empty where it cannot be patched
     * @param texts all of its text, empty where it is not at hand
     */
    public SourceFiles(
            Function<Frame, List<String>> lines, Function<Frame, String> names, Function<Frame, String> texts) {
        this.lines = lines;
        this.names = names;
        this.texts = texts;
    }

    /** The syntax tree of a frame's file; empty where it is not at hand. */
    public Optional<SourceFile> parsed(Frame frame) {
        SourceFile file = parsed.get(frame.file());
        String text = file == null ? texts.apply(frame) : "";
        if (!text.isEmpty()) {
            file = new SourceFile(name(frame), text);
            parsed.put(frame.file(), file);
        }
        return Optional.ofNullable(file);
    }

    /** Whether patches can name a file. */
    public boolean isPatchable(SourceFile file) {
        return parsed.entrySet().stream()
                .filter(entry -> entry.getValue() == file)
                .noneMatch(
                        entry -> names.apply(new Frame(entry.getKey(), 1, "")).isEmpty());
    }

    /** The file of a module that a frame's file may import. */
    public Optional<Frame> module(Frame from, String module) {
        return new SourceModules(this::of).file(from, module);
    }

    /** The path of a frame's file in patches, else as it was recorded. */
    public String name(Frame frame) {
        String name = names.apply(frame);
        return name.isEmpty() ? frame.file() : name;
    }

    /** The statements of a frame's file, none where it is not at hand. */
    public List<String> of(Frame frame) {
        return text(frame).statements().lines();
    }

    /** The frame at the first line of its statement. */
    public Frame first(Frame frame) {
        return new Frame(frame.file(), text(frame).statements().first(frame.line()), frame.function());
    }

    /** The file of statements that were read. */
    Optional<Text> of(List<String> statements) {
        return known.values().stream()
                .filter(text -> text.statements().lines().equals(statements))
                .findFirst();
    }

    private Text text(Frame frame) {
        Text text = known.get(frame.file());
        if (text == null) {
            List<String> read = lines.apply(frame);
            text = new Text(read.isEmpty() ? "" : names.apply(frame), read, new PythonStatements(read));
            known.put(frame.file(), text);
        }
        return text;
    }
}
