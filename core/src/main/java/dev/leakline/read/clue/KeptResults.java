package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds code that puts into a list what a model returned, under whatever name: {@code out, tokens = model(x)}, then {@code kept.append(tokens)}. */
final class KeptResults {
    private static final Pattern CALL = Pattern.compile(
            "^[\\s>]*(\\w+(?:\\s*,\\s*\\w+){0,7})\\s*=\\s*(?:self\\.)?(?:\\w*(?:model|net|network|module|encoder|decoder|generator|criterion)|crit|loss_fn)(?:\\.\\w+)?\\(");
    private static final Pattern KEEPS = Pattern.compile("\\w+\\.(?:append|extend|add)\\((\\w+)\\)");
    /** What is put into a name without a graph, or on the host. */
    private static final Pattern FREE =
            Pattern.compile("^[\\s>]*(\\w+)\\s*=.*(?:\\.detach\\(|\\.cpu\\(|\\.item\\(|\\.numpy\\(|\\.tolist\\()");

    private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");
    /** Names that are remembered: a pasted loop has a few. */
    private static final int MOST = 1000;

    private final Consumer<Clue> found;
    private final Set<String> names = new HashSet<>();

    KeptResults(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes a line. */
    void take(String text, long number) {
        Matcher call = CALL.matcher(text);
        Matcher free = FREE.matcher(text);
        if (free.find()) {
            names.remove(free.group(1));
        } else if (call.find() && names.size() < MOST) {
            COMMA.splitAsStream(call.group(1)).forEach(names::add);
        }
        Matcher keeps = KEEPS.matcher(text);
        while (keeps.find()) {
            if (names.contains(keeps.group(1))) {
                found.accept(new Clue(Kind.KEEPS_RESULTS, Resource.DEVICE, 0, number, text.strip()));
            }
        }
    }
}
