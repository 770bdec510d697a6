package dev.leakline.known.edit;

import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceSink;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A collection that a file names. */
public record SourceBox(List<String> file, String name) {
    /** A line that adds an entry, with what removes the oldest one behind it. */
    public String evicting(String line) {
        return line.strip() + "\nif len(" + name + ") > 64:\n    " + name + ".pop(next(iter(" + name + ")))";
    }

    /** The edit that bounds it, where a line makes a list of it: of that line, or behind the one that adds, where others read it as only a list can be read. */
    public Optional<SourceEdit> bounded(SourceSink sink) {
        return isSliced() && makings().findFirst().isPresent()
                ? Optional.of(SourceEdit.of(sink.file(), sink.line(), trimming(sink)))
                : made();
    }

    private static String trimming(SourceSink sink) {
        return sink.text().strip() + "\ndel " + sink.box() + "[:-64]";
    }

    /** Whether a line reads a part of it by a slice, which a deque does not have. */
    private boolean isSliced() {
        Pattern slice = Pattern.compile("(?<![\\w.])" + Pattern.quote(name) + "\\[[^\\]]*:[^\\]]*\\]");
        return file.stream().anyMatch(line -> slice.matcher(line).find());
    }

    private Optional<SourceEdit> made() {
        return makings()
                .boxed()
                .findFirst()
                .map(line -> SourceEdit.of(file, line, name + " = collections.deque(maxlen=64)")
                        .importing(file, "collections"));
    }

    /** Tells whether a line makes a list of it, whose items have places and no keys. */
    public boolean isList() {
        Pattern made = Pattern.compile("\\s*" + Pattern.quote(name) + "\\s*(:[^=]*)?=\\s*(\\[|list\\().*");
        return file.stream().anyMatch(line -> made.matcher(line).matches());
    }

    /** Whether one line makes it, and that a list. */
    public boolean isMadeOnce() {
        return makings().count() == 1;
    }

    private IntStream makings() {
        Pattern made = Pattern.compile("\\s*" + Pattern.quote(name) + "\\s*(:[^=]*)?=\\s*(\\[\\]|list\\(\\))\\s*");
        return IntStream.rangeClosed(1, file.size())
                .filter(line -> made.matcher(file.get(line - 1)).matches());
    }

    /** Whether a line takes something out of it whenever it has too much. */
    public boolean isLimited() {
        return takings().anyMatch(line -> isRegular(line) && isOfLength(line));
    }

    /** Whether a line that stands under no condition, but that it is full, takes something out of it. */
    public boolean isEmptied() {
        return takings().anyMatch(this::isRegular);
    }

    private IntStream takings() {
        Pattern taken = Pattern.compile("(?<![\\w.])(del\\s+" + Pattern.quote(name) + "\\[|" + Pattern.quote(name)
                + "\\.(clear|pop|popleft|popitem|get|get_nowait|remove|discard)\\()");
        return IntStream.rangeClosed(1, file.size())
                .filter(line -> taken.matcher(file.get(line - 1)).find());
    }

    private boolean isRegular(int line) {
        PythonFunction function = PythonFunction.of(file, line);
        return function.blocks(line).stream()
                .map(function::line)
                .allMatch(block -> !PythonFunction.isCondition(block) || hasLength(block));
    }

    private boolean isOfLength(int line) {
        PythonFunction function = PythonFunction.of(file, line);
        return hasLength(function.line(line))
                || function.blocks(line).stream().map(function::line).anyMatch(this::hasLength);
    }

    private boolean hasLength(String text) {
        return text.contains("len(" + name + ")");
    }
}
