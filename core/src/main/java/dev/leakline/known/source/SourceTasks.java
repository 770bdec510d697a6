package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceBox;
import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.python.PythonExpression;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceSink;
import dev.leakline.known.python.SourceSink.Kind;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds tasks and futures that a program keeps after they have ended: each keeps what its function returned, or raised. */
final class SourceTasks {
    private static final Pattern STARTED = Pattern.compile(
            "(?<names>(?:[\\w.]+(?:\\[[^\\]]*\\])?\\s*=\\s*)*)(?<rest>.*\\b(create_task|ensure_future|start_soon|submit|run_in_executor|run_coroutine_threadsafe)\\((?<list>.*)\\).*)");

    private SourceTasks() {}

    /** The line of a file that keeps a task which runs a function, where nothing takes it out again. */
    static Optional<SourceClue> keeping(List<String> file, String function) {
        Pattern called = Pattern.compile("(?<!\\w)" + Pattern.quote(function) + "(?!\\w)");
        return IntStream.rangeClosed(1, function.isEmpty() ? 0 : file.size())
                .boxed()
                .flatMap(line -> {
                    Matcher started = STARTED.matcher(file.get(line - 1).strip());
                    boolean isIts = started.matches()
                            && called.matcher(started.group("list")).find();
                    return isIts ? kept(PythonFunction.of(file, line), line) : Stream.empty();
                })
                .findFirst();
    }

    private static Stream<SourceClue> kept(PythonFunction function, int line) {
        return SourceUse.of(function, line, false).stream()
                .filter(sink -> sink.kind() == Kind.ADDED || sink.kind() == Kind.STORED)
                .filter(sink ->
                        !new SourceBox(function.file(), sink.box()).isEmptied() && !isHandedOver(function, sink))
                .map(sink -> clue(function.file(), sink));
    }

    /** Whether a line of the file has the box forget tasks that are done. */
    private static boolean isHandedOver(PythonFunction function, SourceSink sink) {
        return function.file().stream()
                .anyMatch(text -> text.contains("add_done_callback(" + sink.box() + ".")
                        || text.matches(".*add_done_callback\\(.*" + Pattern.quote(sink.box())
                                + "\\.(pop|discard|remove)\\b.*"));
    }

    private static SourceClue clue(List<String> file, SourceSink sink) {
        String text = sink.text().strip();
        String task = sink.kind() == Kind.STORED
                ? text.substring(0, text.indexOf(']') + 1)
                : sink.value().strip();
        String key = sink.kind() == Kind.STORED ? task.substring(task.indexOf('[') + 1, task.length() - 1) : "";
        String forgotten = key.isEmpty()
                ? sink.box() + (text.contains(".add(") ? ".discard" : ".remove")
                : "lambda _, key=" + key + ": " + sink.box() + ".pop(key, None)";
        String after = text + "; " + task + ".add_done_callback(" + forgotten + ")";
        boolean isNamed = PythonExpression.elements(task).size() == 1 && task.matches("[\\w.]+(\\[.*\\])?");
        return SourceClue.of(
                        Cause.TASKS,
                        file,
                        sink.line(),
                        isNamed ? List.of(SourceEdit.of(file, sink.line(), after)) : named(file, sink, task, forgotten))
                .asGuess(true);
    }

    /** The task under a name of its own, where it is kept as it is made. */
    private static List<SourceEdit> named(List<String> file, SourceSink sink, String task, String forgotten) {
        return List.of(SourceEdit.of(
                file,
                sink.line(),
                "task = " + task + "\n" + sink.with("task") + "\ntask.add_done_callback(" + forgotten + ")"));
    }
}
