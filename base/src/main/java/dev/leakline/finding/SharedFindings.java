package dev.leakline.finding;

import dev.leakline.result.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Joins findings that several processes of a job have, such as ranks and workers: the same bug, told once, with the list of who has it. */
public final class SharedFindings {
    private SharedFindings() {}

    /**
     * Joins findings of the same fingerprint in different inputs; the first of them, which is the most serious, speaks for all.
     *
     * @param findings the findings in order
     * @param ranks the rank whose input one is; null where that is not known
     */
    public static List<Finding> of(List<Finding> findings, IntFunction<@Nullable Integer> ranks) {
        Map<String, List<Finding>> alike = new HashMap<>();
        for (Finding finding : findings) {
            alike.computeIfAbsent(key(finding), _ -> new ArrayList<>()).add(finding);
        }
        List<Finding> shared = new ArrayList<>();
        for (Finding finding : findings) {
            List<Finding> group = alike.getOrDefault(key(finding), List.of(finding));
            if (isOfFirst(finding, group)) {
                shared.add(joined(finding, group, ranks));
            }
        }
        return shared;
    }

    private static String key(Finding finding) {
        return finding.kind() + finding.id();
    }

    /** Returns whether a finding is the first of its kind, or one of several of the same process, on other devices. */
    private static boolean isOfFirst(Finding finding, List<Finding> alike) {
        return finding.input() == alike.getFirst().input();
    }

    private static Finding joined(Finding finding, List<Finding> alike, IntFunction<@Nullable Integer> ranks) {
        List<Integer> inputs =
                alike.stream().map(Finding::input).distinct().sorted().toList();
        List<Integer> known = inputs.stream()
                .map(input -> ranks.apply(input))
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
        return finding.foundIn(finding.input(), inputs, known);
    }
}
