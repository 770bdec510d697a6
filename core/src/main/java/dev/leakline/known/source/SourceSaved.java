package dev.leakline.known.source;

import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.edit.SourceEdit.Change;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonExpression;
import dev.leakline.known.python.PythonFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The edit by which a function of autograd saves a tensor with {@code save_for_backward} instead of as an attribute of its context.
 *
 * @param forward what assigns the attribute
 * @param line where
 * @param names what the line assigns
 * @param values what to
 * @param index which of them is the attribute
 */
record SourceSaved(PythonDefinition forward, int line, List<String> names, List<String> values, int index) {
    private static final Pattern SAVED = Pattern.compile("\\s*(?<call>.*\\.save_for_backward\\()(?<list>.*)\\)\\s*");

    /** A call that saves tensors already. */
    private record Saved(int line, String call, List<String> list) {}

    /** The edit of both passes. */
    SourceEdit edit() {
        PythonFunction body = forward.body();
        Saved saved = forward.lines().stream()
                .filter(next -> body.blocks(next).equals(body.blocks(line)))
                .flatMap(next -> saved(body, next))
                .findFirst()
                .orElse(new Saved(0, forward.parameters().getFirst() + ".save_for_backward(", List.of()));
        List<String> list = Stream.concat(saved.list().stream(), Stream.of(values.get(index)))
                .toList();
        Stream<Change> forwards = saved.line() == 0
                ? Stream.of(change(line, Stream.of(assigned(), call(saved, list))))
                : Stream.of(change(line, Stream.of(assigned())), change(saved.line(), Stream.of(call(saved, list))));
        return new SourceEdit(
                Stream.concat(forwards, backward(saved.list().size())).toList());
    }

    private static Stream<Saved> saved(PythonFunction body, int line) {
        Matcher found = SAVED.matcher(body.line(line));
        return found.matches()
                ? Stream.of(
                        new Saved(line, found.group("call").strip(), PythonExpression.elements(found.group("list"))))
                : Stream.empty();
    }

    private Change change(int number, Stream<String> statements) {
        return Change.of(
                forward.file(),
                number,
                String.join("\n", statements.filter(text -> !text.isEmpty()).toList()));
    }

    private static String call(Saved saved, List<String> list) {
        return saved.call() + String.join(", ", list) + ")";
    }

    /** What the line assigns besides. */
    private String assigned() {
        List<Integer> others =
                IntStream.range(0, names.size()).filter(i -> i != index).boxed().toList();
        return others.isEmpty()
                ? ""
                : String.join(", ", others.stream().map(names::get).toList()) + " = "
                        + String.join(", ", others.stream().map(values::get).toList());
    }

    /** The lines of the backward pass that read the attribute, or all that was saved before it. */
    private Stream<Change> backward(int before) {
        String attribute = names.get(index).substring(names.get(index).indexOf('.') + 1);
        List<Change> changes = new ArrayList<>();
        PythonDefinition.all(forward.file()).stream()
                .filter(found -> found.name().equals("backward")
                        && found.type().equals(forward.type())
                        && !found.parameters().isEmpty())
                .forEach(found -> found.lines().forEach(number -> {
                    String text = found.body().line(number).strip();
                    String context = "\\b" + Pattern.quote(found.parameters().getFirst()) + "\\.";
                    String all = before == 0
                            ? text
                            : text.replaceAll(context + "saved_tensors\\b(?!\\[)", "$0[:" + before + "]");
                    changes.add(Change.of(
                            found.file(),
                            number,
                            all.replaceAll(
                                    "(" + context + ")" + Pattern.quote(attribute) + "\\b",
                                    "$1saved_tensors[" + before + "]")));
                }));
        return changes.stream().filter(change -> !change.after().strip().equals(change.before()));
    }
}
