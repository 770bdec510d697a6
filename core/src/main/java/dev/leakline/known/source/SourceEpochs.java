package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.edit.SourceExits;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.SourceSink;
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
                        .map(line -> SourceClue.of(
                                Cause.EPOCH_OUTPUTS, file, sink.line(), List.of(edit(hook, line, sink.box()))))
                        .stream())
                .reduce((_, last) -> last);
    }

    /** What clears a list behind the line that reads it; at the hook's end where another name for it is read further down, or no statement may follow. */
    private static SourceEdit edit(PythonDefinition hook, int line, String box) {
        String text = hook.body().line(line).strip();
        boolean isAlias = text.matches("\\w+\\s*=\\s*" + Pattern.quote(box));
        return isAlias || OPEN.matcher(text).matches()
                ? atEnd(hook, box)
                : SourceEdit.of(hook.file(), line, text + "; " + box + ".clear()");
    }

    /** What clears a list at the end of a hook that returns nothing. */
    private static SourceEdit atEnd(PythonDefinition hook, String box) {
        boolean isReturning = hook.lines().stream()
                .anyMatch(line -> hook.body().line(line).strip().startsWith("return "));
        return isReturning
                ? SourceEdit.NONE
                : new SourceEdit(SourceExits.before(hook.body(), hook.line(), box + ".clear()"));
    }
}
