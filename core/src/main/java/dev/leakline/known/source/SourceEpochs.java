package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.SourceSink;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds lists that Lightning's hooks read at the end of each epoch and do not clear. */
final class SourceEpochs {
    private static final Pattern HOOK = Pattern.compile("on_(train|validation|test|predict)_epoch_end");
    /** Where no statement may follow on the line. */
    private static final Pattern OPEN = Pattern.compile("(return|for|while|if|with|def|async)\\b.*|.*[(\\[{,]\\s*");

    private SourceEpochs() {}

    /** The line that adds to such a list, with what clears the list after it was read last, where that line shows where this is. */
    static Optional<SourceClue> read(List<String> file, SourceSink sink) {
        Pattern name = Pattern.compile("(?<![\\w.])" + Pattern.quote(sink.box()) + "(?![\\w(])");
        return PythonDefinition.all(file).stream()
                .filter(found -> HOOK.matcher(found.name()).matches())
                .flatMap(hook -> hook.lines().stream()
                        .filter(line -> name.matcher(hook.body().line(line)).find()
                                && !hook.body().line(line).contains(".clear("))
                        .reduce((_, last) -> last)
                        .stream())
                .max(Comparator.naturalOrder())
                .map(line ->
                        SourceClue.of(Cause.EPOCH_OUTPUTS, file, sink.line(), List.of(edit(file, line, sink.box()))));
    }

    /** What clears a list behind the line that reads it; nothing where another name for the list is read further down. */
    private static SourceEdit edit(List<String> file, int line, String box) {
        String text = file.get(line - 1).strip();
        boolean isAlias = text.matches("\\w+\\s*=\\s*" + Pattern.quote(box));
        return isAlias || OPEN.matcher(text).matches()
                ? SourceEdit.NONE
                : SourceEdit.of(file, line, text + "; " + box + ".clear()");
    }
}
