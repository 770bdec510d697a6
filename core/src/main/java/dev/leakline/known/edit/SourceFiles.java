package dev.leakline.known.edit;

import dev.leakline.known.python.PythonStatements;
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
    private final Map<String, Text> known = new HashMap<>();

    public SourceFiles(Function<Frame, List<String>> lines, Function<Frame, String> names) {
        this.lines = lines;
        this.names = names;
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
