package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The sizes that a server or a trainer prints when it starts, of one device: weights, KV cache, buffers, what is left. They are allocated once and on purpose.
 *
 * @param program who prints them
 * @param parts the largest print of each that is allocated, the last of the others
 */
record StartUp(String program, List<Placed> parts) {
    /** Sizes that are no part of what is allocated: what there is, what was taken in all, what is planned. */
    private static final Set<String> WHOLES = Set.of(
            "total",
            "limit",
            "free",
            "available",
            "left",
            "used",
            "needed",
            "peak",
            "peak_allocated",
            "self",
            "block",
            "missing",
            "k_cache",
            "v_cache",
            "offloaded");

    /** The first program's; of several devices those of the first. */
    static Optional<StartUp> of(CaseTexts texts) {
        Optional<Clue> first = texts.clue(Kind.START).map(Placed::clue);
        int device = texts.clues(Kind.START)
                .mapToInt(placed -> placed.clue().device())
                .filter(ordinal -> ordinal >= 0)
                .findFirst()
                .orElse(-1);
        Map<String, Placed> last = new LinkedHashMap<>();
        texts.clues(Kind.START)
                .filter(placed ->
                        placed.clue().owner().equals(first.map(Clue::owner).orElse("")))
                .filter(placed -> placed.clue().device() < 0 || placed.clue().device() == device)
                .filter(placed -> placed.clue().bytes() > 0)
                .forEach(placed -> last.merge(placed.clue().name(), placed, StartUp::counts));
        return last.isEmpty()
                ? Optional.empty()
                : Optional.of(new StartUp(first.orElseThrow().owner(), new ArrayList<>(last.values())));
    }

    private static Placed counts(Placed before, Placed next) {
        boolean isLess = next.clue().bytes() < before.clue().bytes();
        return isLess && !WHOLES.contains(next.clue().name()) ? before : next;
    }

    /** Adds each as a fact. */
    void addTo(Facts facts) {
        parts.forEach(part -> facts.of(part.clue().name(), part));
        Sum.addAll("start", facts);
    }

    /** The parts that are allocated, and the rest, of those that are facts. */
    static String sentence(String program, Facts facts) {
        String allocated = words(facts, name -> !WHOLES.contains(name) && !name.startsWith("host_"));
        String beside = words(facts, Set.of("used", "left", "limit", "total", "offloaded")::contains);
        return program
                + (allocated.isEmpty() ? "" : " allocates at its start, on purpose: " + allocated)
                + (beside.isEmpty() ? "" : (allocated.isEmpty() ? ": " : "; ") + beside);
    }

    private static String words(Facts facts, Predicate<String> which) {
        return facts.all().keySet().stream()
                .filter(which)
                .map(name -> name.replace("kv_", "KV ").replace('_', ' ') + " " + ByteSize.format(facts.bytes(name)))
                .collect(Collectors.joining(", "));
    }
}
