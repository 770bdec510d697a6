package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.PythonFunction;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds blocks of autocast that last longer than a step. */
final class SourceAutocast {
    private static final Pattern AUTOCAST = Pattern.compile("\\s*with\\s.*\\bautocast\\((?<options>[^)]*)\\).*");
    private static final Pattern LOOP = Pattern.compile("\\s*(async\\s+)?(for|while)\\b.*");

    private SourceAutocast() {}

    /** Autocast around the loop in which a line stands. */
    static Optional<SourceClue> around(PythonFunction function, int line) {
        boolean isInLoop = false;
        for (int block : function.blocks(line)) {
            Matcher autocast = AUTOCAST.matcher(function.line(block));
            if (isInLoop && autocast.matches() && !autocast.group("options").contains("cache_enabled")) {
                String before = function.line(block).strip();
                String options = autocast.group("options");
                return Optional.of(SourceClue.of(
                        Cause.AUTOCAST_CACHE,
                        function.file(),
                        block,
                        before.replace(options, options + ", cache_enabled=False")));
            }
            isInLoop |= LOOP.matcher(function.line(block)).matches();
        }
        return Optional.empty();
    }
}
