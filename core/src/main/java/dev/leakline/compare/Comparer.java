package dev.leakline.compare;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Outcome;
import dev.leakline.result.Comparison.SettingChange;
import dev.leakline.result.Comparison.Side;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** Compares two results, of two runs of a job or of two jobs; it sees results only, and so compares what was read from reports as well. */
public final class Comparer {
    private Comparer() {}

    /** Compares two results. */
    public static Comparison compare(Side before, Side after) {
        AnalysisResult was = before.result();
        AnalysisResult is = after.result();
        var devices = DeviceChanges.list(was, is);
        Comparison comparison = new Comparison(
                before,
                after,
                new FindingChanges(was, is).list(),
                devices,
                settings(was.settings(), is.settings()),
                Caveats.of(was, is, devices),
                Outcome.UNDETERMINED,
                "");
        ChangeOutcome outcome = ChangeOutcome.of(comparison);
        return comparison.with(outcome.word(), DiffSummary.of(comparison, outcome));
    }

    private static List<SettingChange> settings(Map<String, Object> before, Map<String, Object> after) {
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(before.get(name), after.get(name)))
                .map(name -> new SettingChange(name, before.get(name), after.get(name)))
                .toList();
    }
}
