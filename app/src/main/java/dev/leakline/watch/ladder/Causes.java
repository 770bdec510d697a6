package dev.leakline.watch.ladder;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.WatchEvent.Cause;
import dev.leakline.result.WatchEvent.Rung;
import dev.leakline.text.Printable;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Causes of a process's growth, by the last looks at it. */
final class Causes {
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
        String site =
                finding != null && finding.site().isLine() ? finding.site().brief() : null;
        String kept = site != null
                ? "kept at " + site
                : finding != null ? finding.title() : "a minute of its allocations did not show the line";
        String says = Printable.of(kept) + (holder == null ? "" : "; held by " + Printable.of(holder));
        Rung rung = finding != null ? Rung.HISTORY : Rung.HOLDERS;
        return new Cause(
                rung, site, holder, says, files.stream().map(Path::toString).toList());
    }
}
