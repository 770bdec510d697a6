package dev.leakline.watch.ladder;

import dev.leakline.result.Acquittal;
import dev.leakline.result.Acquittal.Reason;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.Site;
import dev.leakline.result.WatchEvent.Cause;
import dev.leakline.result.WatchEvent.Rung;
import dev.leakline.text.Printable;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the last looks say of why a process grows. */
final class Causes {
    /** For a record alone these are no leak; what grew for a quarter of an hour was not being loaded, nor warming up. */
    private static final Set<Reason> UNLIKELY = Set.of(Reason.MODEL_STATE, Reason.WARM_UP);

    private Causes() {}

    /**
     * The cause.
     *
     * @param record what a minute of allocations shows; null where there is none
     * @param group who held more in the second dump than in the first, null where nobody did
     */
    static Cause of(@Nullable AnalysisResult record, @Nullable String group, List<Path> files) {
        Finding finding = record == null
                ? null
                : record.findings().stream()
                        .filter(one -> one.severity() != Finding.Severity.INFO)
                        .findFirst()
                        .orElse(null);
        String holder = finding != null && !finding.holders().isEmpty()
                ? finding.holders().getFirst().title()
                : group;
        Site line = finding != null ? finding.site() : record == null ? null : stays(record, group);
        String site = line != null && line.isLine() ? line.brief() : null;
        String kept = site != null
                ? "kept at " + site
                : finding != null ? finding.title() : "a minute of its allocations did not show the line";
        String says = Printable.of(kept) + (holder == null ? "" : "; held by " + Printable.of(holder));
        Rung rung = finding != null || site != null ? Rung.HISTORY : Rung.HOLDERS;
        return new Cause(
                rung, site, holder, says, files.stream().map(Path::toString).toList());
    }

    /** Where no finding names a line: that of what the group holds, or else that of which most stayed. */
    private static @Nullable Site stays(AnalysisResult record, @Nullable String group) {
        Optional<Site> held = record.dumps().stream()
                .flatMap(dump -> dump.rest().stream())
                .filter(one -> one.title().equals(group))
                .map(JoinedDump.Held::site)
                .filter(Objects::nonNull)
                .filter(Site::isLine)
                .findFirst();
        return held.orElseGet(() -> record.acquittals().stream()
                .filter(one -> UNLIKELY.contains(one.reason()) && one.site().isLine() && !one.isOfWorkspaces())
                .max(Comparator.comparingLong(Acquittal::bytes))
                .map(Acquittal::site)
                .orElse(null));
    }
}
