package dev.leakline.known;

import dev.leakline.known.SourceUse.Kind;
import dev.leakline.known.SourceUse.Sink;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.Finding.Explanation;
import dev.leakline.result.Finding.Told;
import dev.leakline.result.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Decides the cause of a leak by the lines of the source: those of the function that allocates, then of those that called it, until one keeps
 * the value. What the dump showed is not doubted; then only the edit comes from here.
 *
 * <p>Lines are read one by one, as text. That is enough for the few words that matter, and what it does not understand changes nothing.
 */
public final class SourceReading {
    /** Calls that a value is followed through; what is further away was not kept by a line that a reader would connect with it. */
    private static final int CALLS = 4;

    private static final Pattern MEMO =
            Pattern.compile("\\s*@(functools\\.)?(cache|lru_cache\\(\\s*(maxsize\\s*=\\s*)?None\\s*\\))\\s*");
    private static final Pattern NO_GRAD = Pattern.compile(".*\\b(no_grad|inference_mode)\\(.*");
    private static final Pattern EXCEPT = Pattern.compile("\\s*except\\b.*?(?:\\bas\\s+(?<name>\\w+))?\\s*:\\s*");
    private static final Pattern SUSPENDED = Pattern.compile(".*\\b(yield|await)\\b.*");
    private static final Pattern AUTOCAST = Pattern.compile("\\s*with\\s.*\\bautocast\\((?<options>[^)]*)\\).*");
    private static final Pattern DEFINITION = Pattern.compile("\\s*(async\\s+)?def\\s+(?<name>\\w+)\\(.*");
    private static final Pattern GRADIENT = Pattern.compile("\\.grad\\b(?!\\.)");
    private static final Pattern LOOP = Pattern.compile("\\s*(async\\s+)?(for|while)\\b.*");

    /** A cause with the line that shows it, and how that line should read. */
    private record Read(Cause cause, int line, String before, String after) {}

    private final Finding finding;
    private final Function<Frame, List<String>> files;

    private SourceReading(Finding finding, Function<Frame, List<String>> files) {
        this.finding = finding;
        this.files = files;
    }

    /**
     * The finding with the cause that the source shows; as it is where that shows none.
     *
     * @param files the lines of a frame's file, none where it is not at hand
     */
    public static Finding of(Finding finding, Function<Frame, List<String>> files) {
        Explanation explanation = finding.explanation();
        return finding.kind() == Finding.Kind.LEAK && explanation != null
                ? new SourceReading(finding, files).told(explanation)
                : finding;
    }

    private Finding told(Explanation explanation) {
        Optional<Cause> known = Cause.told(finding.title());
        Optional<Read> read = known.flatMap(this::read);
        if (read.isEmpty()) {
            return finding;
        }
        Read found = read.get();
        boolean isOpen = explanation.basis() == Basis.INFERRED || known.get().isGeneral();
        if (!found.cause.id().equals(finding.cause()) && (!isOpen || explanation.basis() == Basis.DUMP)) {
            return finding;
        }
        Cause cause = isOpen ? found.cause : known.get();
        Told told =
                new Diagnosis(cause, explanation.basis() == Basis.DUMP ? Basis.DUMP : Basis.SOURCE, List.of()).told();
        String line = " Line " + found.line + " shows it" + (found.before.isBlank() ? "." : ": " + found.before);
        Told shown =
                new Told(told.title(), told.cause(), new Explanation(Basis.SOURCE, cause.text() + line, List.of()));
        return finding.withCause(explanation.basis() == Basis.DUMP ? told : shown, advice(cause, found));
    }

    /** The advice of the finding, where its cause is the same, else that of the cause; the first with the edit of the very line. */
    private List<Advice> advice(Cause cause, Read found) {
        boolean isSame = cause.id().equals(finding.cause()) && finding.advice().size() > 0;
        List<Advice> all = isSame && !cause.equals(Cause.CONTAINER)
                ? finding.advice()
                : cause.inSource().advice(finding.bytes(), AdvisedLimit.of(finding), finding.device() < 0);
        return Stream.concat(
                        all.stream().limit(1).map(first -> edited(first, found)),
                        all.stream().skip(1))
                .toList();
    }

    private Advice edited(Advice general, Read found) {
        return found.before.isBlank() || found.before.equals(found.after)
                ? general
                : general.withExample(found.before, AdvisedLimit.in(found.after, AdvisedLimit.of(finding)));
    }

    private Optional<Read> read(Cause known) {
        Optional<Read> found = Optional.empty();
        List<Frame> frames = new ArrayList<>(finding.stack());
        frames.remove(finding.site().frame());
        frames.addFirst(finding.site().frame());
        int read = 0;
        boolean isSuspended = false;
        for (Frame frame : frames) {
            List<String> file = files.apply(frame);
            boolean isThere = frame.line() > 0 && frame.line() <= file.size() && read < CALLS;
            if (isThere && found.isEmpty()) {
                read++;
                PythonFunction function = PythonFunction.of(file, frame.line());
                found = read(known, file, function, frame.line());
                isSuspended |= found.isEmpty() && read == 1 && isSuspended(function, frame.line());
                if (found.isEmpty() && isSuspended) {
                    return Optional.of(new Read(Cause.GENERATOR_SUSPENDED, frame.line(), "", ""));
                }
            }
        }
        return found.isPresent() || !known.isGeneral() || !isMadeByModule() ? found : ofHook(frames);
    }

    /** Whether it was a module that allocated: then hooks may have seen it. */
    private boolean isMadeByModule() {
        return finding.evidence().stream()
                .map(Finding.Proof::site)
                .anyMatch(site -> site != null && site.frame().function().equals(ModuleCall.FORWARD));
    }

    /** The hook that stores what it is given, where the file of a call registers one: no frame of what a module made names those who saw it. */
    private Optional<Read> ofHook(List<Frame> frames) {
        return frames.stream()
                .map(files)
                .flatMap(file -> SourceHooks.storing(file).stream())
                .findFirst()
                .map(sink -> each(Cause.HOOK, sink, ".detach().cpu()"));
    }

    private static boolean isSuspended(PythonFunction function, int line) {
        for (int next = line; next < function.end(); next++) {
            if (SUSPENDED.matcher(function.line(next)).matches()) {
                return true;
            }
        }
        return false;
    }

    private static Optional<Read> read(Cause known, List<String> file, PythonFunction function, int line) {
        Optional<Integer> memo = function.decorators().stream()
                .filter(above -> MEMO.matcher(function.line(above)).matches())
                .findFirst();
        if (memo.isPresent()) {
            String before = function.line(memo.get()).strip();
            return Optional.of(new Read(Cause.MEMO_GROWS, memo.get(), before, "@functools.lru_cache(maxsize=64)"));
        }
        Optional<Read> handled = ofHandler(known, function, line);
        if (handled.isPresent()) {
            return handled;
        }
        if (known.isOfAllocation()) {
            return ofGradients(known, function, line);
        }
        int hook = SourceHooks.registration(function, line);
        if (hook > 0 && known.isGeneral()) {
            String before = function.line(hook).strip();
            return Optional.of(new Read(
                    Cause.HOOKS_PILE_UP,
                    hook,
                    before,
                    "handle = " + before.replaceFirst("^[\\w.]+\\s*=\\s*", "") + "; ...; handle.remove()"));
        }
        Optional<Sink> sink = SourceUse.of(function, line, known.id().equals(Cause.GRAPH_KEPT.id()));
        if (sink.isPresent() && callsGenerator(file, function.line(line))) {
            String before = sink.get().text().strip();
            String box = sink.get().box();
            String value = sink.get().value();
            return Optional.of(new Read(
                    Cause.GENERATOR_SUSPENDED,
                    sink.get().line(),
                    before,
                    before + "; ...; " + box + ".remove(" + value + "); " + value + ".close()"));
        }
        return sink.isPresent() ? ofSink(known, function, line, sink.get()) : ofAutocast(function, line);
    }

    /** Whether a line calls a generator or a coroutine of the same file. */
    private static boolean callsGenerator(List<String> file, String text) {
        for (int line = 1; line < file.size(); line++) {
            Matcher definition = DEFINITION.matcher(file.get(line - 1));
            boolean isCalled = definition.matches()
                    && Pattern.compile("\\b" + definition.group("name") + "\\(")
                            .matcher(text)
                            .find();
            if (isCalled && isSuspended(PythonFunction.of(file, line + 1), line + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Where gradients are added to something after the backward pass. */
    private static Optional<Read> ofGradients(Cause known, PythonFunction function, int line) {
        return function.after(line).stream()
                .map(next -> SourceUse.of(function, next, false).filter(sink -> sink.line() == next))
                .flatMap(Optional::stream)
                .filter(sink -> GRADIENT.matcher(sink.value()).find())
                .findFirst()
                .map(sink -> edit(known, sink, GRADIENT.matcher(sink.value()).replaceAll(".grad.detach().cpu()")));
    }

    /** The handler of what a line raises, where it keeps the exception or something else. */
    private static Optional<Read> ofHandler(Cause known, PythonFunction function, int line) {
        boolean isTried = known.equals(Cause.EXCEPTION)
                || function.blocks(line).stream()
                        .anyMatch(block -> function.line(block).strip().equals("try:"));
        String name = "";
        for (int next = line; isTried && next < function.end(); next++) {
            Matcher handler = EXCEPT.matcher(function.line(next));
            if (handler.matches() && handler.group("name") != null) {
                name = handler.group("name");
            }
            Optional<Sink> sink = name.isEmpty() ? Optional.empty() : SourceUse.of(function, next, false);
            if (sink.isPresent() && sink.get().line() == next && sink.get().kind() == Kind.ADDED) {
                String value = sink.get().value();
                Matcher whole = Pattern.compile("(?<![\\w.(])" + Pattern.quote(name) + "(?![\\w.\\[(])")
                        .matcher(value);
                return whole.find()
                        ? Optional.of(edit(Cause.EXCEPTION, sink.get(), whole.replaceAll("repr(" + name + ")")))
                        : Optional.of(each(Cause.CONTAINER, sink.get(), ".cpu()"));
            }
        }
        return Optional.empty();
    }

    /** What a line that keeps the value says; of causes that are known by what is allocated, it says nothing. */
    private static Optional<Read> ofSink(Cause known, PythonFunction function, int line, Sink sink) {
        boolean isFreed = sink.value().contains(".detach()")
                || function.isUnder(line, text -> NO_GRAD.matcher(text).matches());
        boolean mayBeGraph = known.id().equals(Cause.GRAPH_KEPT.id());
        if (mayBeGraph && !isFreed) {
            return Optional.of(ofGraph(function, line, sink));
        }
        if (known.equals(Cause.HOOK)) {
            return Optional.of(each(known, sink, ".detach().cpu()"));
        }
        boolean isOpen =
                mayBeGraph || known.isGeneral() || known.equals(Cause.EXCEPTION) || known.equals(Cause.BACKLOG);
        return isOpen ? Optional.of(ofContainer(sink)) : Optional.empty();
    }

    private static Read ofGraph(PythonFunction function, int line, Sink sink) {
        boolean isRetained = function.after(line).stream()
                .anyMatch(next -> function.line(next).contains("retain_graph=True"));
        Cause cause = isRetained ? Cause.GRAPH_RETAINED : Cause.GRAPH_KEPT;
        String text = sink.text().strip();
        return switch (sink.kind()) {
            case ADDED, STORED -> each(cause, sink, ".detach().cpu()");
            case SUMMED -> edit(cause, sink, sink.value() + ".detach()");
            case CARRIED ->
                new Read(cause, sink.line(), text, text + "; " + sink.box() + " = " + sink.box() + ".detach()");
        };
    }

    private static Read ofContainer(Sink sink) {
        if (sink.value().matches(".*\\[[^\\]]*:[^\\]]*\\]")) {
            return edit(Cause.VIEW, sink, sink.value() + ".clone()");
        }
        if (sink.kind() == Kind.STORED) {
            String box = sink.box();
            String before = sink.text().strip();
            String evict = before + "; " + box + ".pop(next(iter(" + box + "))) if len(" + box + ") > 64 else None";
            return new Read(Cause.CACHE_GROWS, sink.line(), before, evict);
        }
        return each(Cause.CONTAINER, sink, ".cpu()");
    }

    /** Autocast around the loop in which a line stands. */
    private static Optional<Read> ofAutocast(PythonFunction function, int line) {
        boolean isInLoop = false;
        for (int block : function.blocks(line)) {
            Matcher autocast = AUTOCAST.matcher(function.line(block));
            if (isInLoop && autocast.matches() && !autocast.group("options").contains("cache_enabled")) {
                String before = function.line(block).strip();
                String options = autocast.group("options");
                return Optional.of(new Read(
                        Cause.AUTOCAST_CACHE,
                        block,
                        before,
                        before.replace(options, options + ", cache_enabled=False")));
            }
            isInLoop |= LOOP.matcher(function.line(block)).matches();
        }
        return Optional.empty();
    }

    private static Read each(Cause cause, Sink sink, String call) {
        return new Read(cause, sink.line(), sink.text().strip(), sink.each(call));
    }

    private static Read edit(Cause cause, Sink sink, String value) {
        return new Read(cause, sink.line(), sink.text().strip(), sink.with(value));
    }
}
