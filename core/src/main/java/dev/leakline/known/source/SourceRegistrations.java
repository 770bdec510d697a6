package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.edit.SourceEdit.Change;
import dev.leakline.known.edit.SourceExits;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonExpression;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceStep;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds calls that register something to be called later, and with it what a step makes: nothing ends such a registration by itself. */
final class SourceRegistrations {
    private static final Pattern CALL = Pattern.compile(
            "\\s*(?:(?<handle>[\\w.]+)\\s*=\\s*)?(?<call>(?:[\\w.]+(?:\\([^()]*\\))?\\.)?"
                    + "(?<verb>register|subscribe|on|connect|listen|observe|add_listener|add_observer|add_callback|add_done_callback|addHandler"
                    + "|add_handler|add_signal_handler|call_later|call_at|Timer|finalize|callback|push)\\()(?<list>.+)\\)(?:\\.start\\(\\))?\\s*");
    private static final Pattern ENDED = Pattern.compile(
            "\\.(unregister|unsubscribe|off|disconnect|unlisten|unobserve|remove_\\w+|removeHandler|cancel|detach|pop_all|close)\\(");
    private static final String AT_EXIT = "atexit.register(";
    private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*");
    /** A name that is an argument, or an element of one. */
    private static final Pattern ARGUMENT = Pattern.compile("(?<=^|[=,(\\[ ])[A-Za-z_]\\w*(?=\\s*(?:[,)\\]]|$))");

    private static final Pattern CONSTRUCTED =
            Pattern.compile("\\s*(?<name>\\w+)\\s*=\\s*(?:[\\w.]+\\.)?[A-Z]\\w*\\(.*");

    private final Cause known;
    private final PythonFunction function;
    private final List<Integer> lines;
    private final Predicate<String> isKept;

    private SourceRegistrations(Cause known, PythonFunction function, List<Integer> lines, Predicate<String> isKept) {
        this.known = known;
        this.function = function;
        this.lines = lines;
        this.isKept = isKept;
    }

    /** The registration of what a line of a function makes. */
    static Optional<SourceClue> of(Cause known, PythonFunction function, int line) {
        SourceUse flow = SourceUse.flow(function, line);
        return new SourceRegistrations(known, function, function.after(line), flow::uses).clue();
    }

    /** The registration of an object by its constructor, which a step runs. */
    static Optional<SourceClue> ofObjects(Cause known, SourceStep step) {
        Stream<PythonDefinition> around = PythonDefinition.around(step.definitions(), step.line()).stream();
        return Stream.concat(around, step.called(step.line()).stream())
                .filter(found -> found.name().equals("__init__"))
                .flatMap(made -> new SourceRegistrations(
                                known, made.body(), made.lines(), value -> SourceUse.isIn("self", value))
                        .clue().stream())
                .findFirst();
    }

    private Optional<SourceClue> clue() {
        return lines.stream().flatMap(line -> clue(line).stream()).findFirst();
    }

    private Optional<SourceClue> clue(int line) {
        Matcher call = CALL.matcher(function.line(line));
        if (!call.matches()) {
            return Optional.empty();
        }
        List<String> given = PythonExpression.elements(call.group("list"));
        boolean isKeeping = given.stream().anyMatch(this::isReference);
        Set<Boolean> ends = function.all().stream()
                .filter(next -> ENDED.matcher(function.line(next)).find())
                .map(function::isUnconditional)
                .collect(Collectors.toSet());
        return isKeeping && !ends.contains(true)
                ? Optional.of(SourceClue.of(Cause.REGISTERED, function.file(), line, List.of(edit(line, call, given)))
                        .asGuess(true))
                : Optional.empty();
    }

    /** Whether an argument refers to what is made, itself or as what a function refers to; numbers of it do not. */
    private boolean isReference(String argument) {
        return PythonExpression.values(argument).stream()
                .anyMatch(part -> isKept.test(part) && (part.startsWith("lambda") || !SourceUse.isLetGo(part)));
    }

    private SourceEdit edit(int line, Matcher call, List<String> given) {
        String text = function.line(line).strip();
        String callback = given.getFirst();
        if (call.group("call").equals(AT_EXIT) && NAME.matcher(callback).matches() && !isLocal(callback)) {
            return SourceEdit.of(function.file(), line, "atexit.unregister(" + callback + "); " + text);
        }
        if (call.group("call").equals(AT_EXIT)) {
            return ended(line, call, text, name -> "atexit.unregister(" + name + ")");
        }
        if (isMethod(given.getLast())) {
            return weak(line, text, given.getLast());
        }
        int at = text.indexOf(call.group("list"));
        String list = ARGUMENT.matcher(call.group("list"))
                .replaceAll(name -> isTensor(name.group()) ? name.group() + ".detach().cpu()" : name.group());
        return known.isOfObjects()
                ? SourceEdit.NONE
                : SourceEdit.of(
                        function.file(),
                        line,
                        text.substring(0, at)
                                + list
                                + text.substring(at + call.group("list").length()));
    }

    /** Whether a name is given to a value or a function within the function. */
    private boolean isLocal(String name) {
        Pattern made = Pattern.compile("\\s*((async\\s+)?def\\s+" + name + "\\(.*|" + name + "\\s*=[^=].*)");
        return function.all().stream()
                .anyMatch(next -> made.matcher(function.line(next)).matches());
    }

    /** The registration with its end where the function, or the iteration, ends. */
    private SourceEdit ended(int line, Matcher call, String text, UnaryOperator<String> end) {
        String name = Optional.ofNullable(call.group("handle")).orElse("registered");
        Stream<Change> named = call.group("handle") == null
                ? Stream.of(Change.of(function.file(), line, name + " = " + text))
                : Stream.empty();
        List<Change> exits = SourceExits.before(function, line, end.apply(name));
        return exits.isEmpty()
                ? SourceEdit.NONE
                : new SourceEdit(Stream.concat(named, exits.stream()).toList());
    }

    private boolean isMethod(String argument) {
        return argument.matches("[A-Za-z_][\\w.]*\\.\\w+") && isKept.test(argument);
    }

    /** The registration of a method that does not keep its object. */
    private SourceEdit weak(int line, String text, String method) {
        int at = text.lastIndexOf(method);
        return SourceEdit.of(
                        function.file(),
                        line,
                        text.substring(0, at) + "lambda *given, method=weakref.WeakMethod(" + method
                                + "): method() and method()(*given)" + text.substring(at + method.length()))
                .importing(function.file(), "weakref");
    }

    /** Whether an argument is a name of what is made, and that no object of a class. */
    private boolean isTensor(String argument) {
        boolean isObject = function.all().stream()
                .map(next -> CONSTRUCTED.matcher(function.line(next)))
                .anyMatch(made -> made.matches() && made.group("name").equals(argument));
        return NAME.matcher(argument).matches() && !argument.equals("self") && isKept.test(argument) && !isObject;
    }
}
