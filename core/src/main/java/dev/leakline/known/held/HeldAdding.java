package dev.leakline.known.held;

import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceModules;
import dev.leakline.known.python.SourceSink;
import dev.leakline.known.python.SourceSink.Kind;
import dev.leakline.known.python.SourceUse;
import dev.leakline.result.Frame;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds the one line that adds to a collection which a holder dump names, in the files of some calls and the modules beside them. */
public final class HeldAdding {
    /** What stands behind the name of a collection of collections. */
    private static final Pattern PARTS = Pattern.compile("(\\[[^\\]]*\\])+$");
    /** Names of what a method belongs to. */
    private static final Pattern OWN = Pattern.compile("(self|cls)\\..*");

    private final HeldCollection held;
    private final HeldOwner owner;
    private final List<Frame> calls;
    private final SourceModules modules;

    public HeldAdding(HeldCollection held, List<Frame> calls, SourceModules modules) {
        this.held = held;
        this.owner = held.owner();
        this.calls = calls;
        this.modules = modules;
    }

    /**
     * A line that adds to it.
     *
     * @param file its file; the first line, as a frame
     * @param sink the line
     */
    public record Added(Frame file, SourceSink sink) {}

    /** The line; empty where none is found, or several. */
    public Optional<Added> find() {
        List<Added> found = all();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    /** The lines that add to it, in the order of their files and lines. */
    public List<Added> all() {
        return switch (owner.kind()) {
            case CALL -> added(ofCalls(), sink -> root(sink).equals(held.name()) && isOfCall(sink));
            case MODULE -> added(ofModule(), sink -> root(sink).equals(held.name()));
            case CLASS -> ofClass();
        };
    }

    /** The lines of its class; where there are none, those by which others add to it. */
    private List<Added> ofClass() {
        List<Added> own = added(ofModule(), this::isOfClass);
        return own.isEmpty() ? added(Stream.concat(ofModule(), ofAll()), this::isOfOthers) : own;
    }

    private boolean isOfClass(SourceSink sink) {
        boolean isOwn = OWN.matcher(root(sink)).matches() || root(sink).startsWith(owner.name() + ".");
        return isOwn
                && isAttribute(sink)
                && PythonDefinition.around(PythonDefinition.all(sink.file()), sink.line())
                        .filter(method -> method.type().equals(owner.name()))
                        .isPresent();
    }

    private boolean isOfOthers(SourceSink sink) {
        return isAttribute(sink) && !OWN.matcher(root(sink)).matches();
    }

    private boolean isAttribute(SourceSink sink) {
        return root(sink).endsWith("." + held.name());
    }

    private boolean isOfCall(SourceSink sink) {
        int line = Integer.parseInt(owner.name());
        return line <= sink.file().size()
                && PythonFunction.of(sink.file(), line).all().contains(sink.line());
    }

    private static String root(SourceSink sink) {
        return PARTS.matcher(sink.box()).replaceFirst("");
    }

    private Stream<Frame> ofAll() {
        return calls.stream().map(call -> new Frame(call.file(), 1, ""));
    }

    private Stream<Frame> ofCalls() {
        return ofAll().filter(file -> file.fileName().equals(owner.module()));
    }

    private Stream<Frame> ofModule() {
        return owner.isOfProgram()
                ? ofAll()
                : calls.stream()
                        .flatMap(call -> modules.file(call, owner.module()).stream())
                        .limit(1);
    }

    private List<Added> added(Stream<Frame> files, Predicate<SourceSink> isWanted) {
        return files.distinct()
                .flatMap(file ->
                        sinks(modules.files().apply(file)).filter(isWanted).map(sink -> new Added(file, sink)))
                .toList();
    }

    private Stream<SourceSink> sinks(List<String> lines) {
        return IntStream.rangeClosed(1, lines.size())
                .filter(line -> lines.get(line - 1).contains(held.name()))
                .mapToObj(line -> PythonFunction.of(lines, line))
                .map(function -> SourceUse.written(function, function.number())
                        .or(() -> SourceSink.defaulted(function, function.number())))
                .flatMap(Optional::stream)
                .filter(sink -> sink.kind() == Kind.ADDED || sink.kind() == Kind.STORED);
    }
}
