package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceBox;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceSink;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Finds dictionaries of objects, such as sessions, whose objects keep what a line makes for them. */
final class SourceSessions {
    private static final Pattern TAKEN = Pattern.compile(
            "\\s*(?<name>\\w+)\\s*=\\s*(?:await\\s+)?(?<box>[A-Za-z_][\\w.]*)(\\[[^\\]:]+\\]|\\.get\\(.*|\\.setdefault\\(.*)\\s*");

    private SourceSessions() {}

    /** The line that adds to the dictionary from which a function took an object that a line works with. */
    static Optional<SourceClue> growing(List<String> file, PythonFunction function, int line) {
        return function.all().stream()
                .filter(next -> next < line)
                .map(next -> TAKEN.matcher(function.line(next)))
                .filter(Matcher::matches)
                .filter(taken ->
                        SourceUse.isIn(taken.group("name"), function.line(line).replaceAll("\\.\\w+", "")))
                .map(taken -> new SourceBox(file, taken.group("box")))
                .filter(box -> !box.isLimited())
                .flatMap(box -> added(box).stream())
                .findFirst();
    }

    private static Optional<SourceClue> added(SourceBox box) {
        return IntStream.rangeClosed(1, box.file().size())
                .mapToObj(line -> SourceUse.written(PythonFunction.of(box.file(), line), line))
                .flatMap(Optional::stream)
                .filter(sink ->
                        sink.kind() == SourceSink.Kind.STORED && sink.box().equals(box.name()))
                .findFirst()
                .map(sink -> SourceClue.of(Cause.CACHE_GROWS, box.file(), sink.line(), box.evicting(sink.text()))
                        .asGuess(true));
    }
}
