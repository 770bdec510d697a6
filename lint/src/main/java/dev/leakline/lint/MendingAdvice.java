package dev.leakline.lint;

import static java.util.stream.Collectors.flatMapping;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toSet;

import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.PatchSafety;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The advice of a report, of which a patch carries one out. */
final class MendingAdvice {
    private static final Pattern NO_WORD = Pattern.compile("\\W+");
    private static final Pattern CALLED = Pattern.compile("\\b(\\w+)\\(");

    private MendingAdvice() {}

    /**
     * The advice with the patch first: that which names calls or changes words that the patch changes, else what the rule advises. The patch stands in place of
     * the example; that of what came first until now goes too, because it is of the same line.
     */
    static List<Advice> of(Finding leak, Rule rule, String patch, boolean isSafe) {
        Set<String> words = changedWords(edited(patch));
        List<Advice> rest = new ArrayList<>(leak.advice());
        Advice general = rest.stream()
                .max(Comparator.comparingInt((Advice advice) -> fit(advice, words)))
                .filter(advice -> fit(advice, words) > 0)
                .orElse(null);
        if (!rest.isEmpty()) {
            rest.set(
                    0,
                    rest.getFirst().equals(general) ? general : rest.getFirst().withExample("", ""));
        }
        rest.remove(general);
        Advice first = general != null ? general : Advice.of(rule.fix(), rule.why(), leak.bytes(), "", "", rule.link());
        rest.addFirst(first.withPatch(
                patch,
                isSafe ? PatchSafety.SAFE : PatchSafety.REVIEW,
                isSafe ? "The program does what it did." : "The edit changes what refers to what."));
        return List.copyOf(rest);
    }

    /** The lines of a patch without its heads. */
    private static Stream<String> edited(String patch) {
        return patch.lines().filter(line -> !line.startsWith("---") && !line.startsWith("+++"));
    }

    /** How well advice fits a patch: the words that both change, in the example or patch that the advice has, and the calls that it names. */
    private static int fit(Advice advice, Set<String> words) {
        String patch = advice.patch();
        Set<String> both = patch == null
                ? changedWords(Stream.of("-" + advice.before(), "+" + advice.after()))
                : changedWords(edited(patch));
        CALLED.matcher(advice.action()).results().map(call -> call.group(1)).forEach(both::add);
        both.retainAll(words);
        return both.size();
    }

    /** The words that lines with a minus have and those with a plus have not, or the other way. */
    private static Set<String> changedWords(Stream<String> lines) {
        Set<String> changed = new HashSet<>();
        Map<Boolean, Set<String>> words = lines.filter(line -> line.startsWith("-") || line.startsWith("+"))
                .collect(partitioningBy(line -> line.startsWith("+"), flatMapping(NO_WORD::splitAsStream, toSet())));
        words.values()
                .forEach(side -> side.stream()
                        .filter(word -> words.values().stream().anyMatch(other -> !other.contains(word)))
                        .forEach(changed::add));
        return changed;
    }
}
