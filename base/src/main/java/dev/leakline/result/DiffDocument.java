package dev.leakline.result;

import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Comparison.Basis;
import dev.leakline.result.Comparison.Change;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.Comparison.Outcome;
import dev.leakline.result.Comparison.SettingChange;
import dev.leakline.result.Comparison.SiteChange;
import dev.leakline.result.Coverage.Ring;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A comparison as it stands in JSON: of each side what it takes to tell the two apart, and none of the rest.
 *
 * @param schema {@link #SCHEMA}
 * @param isSame whether nothing that is compared differs
 * @param outcome whether a change has helped, in one word
 * @param summary what changed, in one sentence
 */
public record DiffDocument(
        String schema,
        Side before,
        Side after,
        boolean isSame,
        Outcome outcome,
        String summary,
        List<FindingRow> findings,
        List<DeviceRow> devices,
        List<SettingChange> settings,
        List<String> caveats) {
    /** The schema of a comparison as JSON. */
    public static final String SCHEMA = "leakline.diff/1";

    /** A comparison with at most {@code top} lines of code of a device. */
    public static DiffDocument of(Comparison comparison, int top) {
        return new DiffDocument(
                SCHEMA,
                Side.of(comparison.before()),
                Side.of(comparison.after()),
                comparison.isSame(),
                comparison.outcome(),
                comparison.summary(),
                comparison.findings().stream().map(FindingRow::of).toList(),
                comparison.devices().stream()
                        .map(device -> DeviceRow.of(device, top))
                        .toList(),
                comparison.settings(),
                comparison.caveats());
    }

    /** One side of a comparison: its name and its verdict. */
    public record Side(String name, String toolVersion, List<String> inputs, Verdict verdict, String reason) {
        private static Side of(Comparison.Side side) {
            AnalysisResult result = side.result();
            List<String> inputs = result.inputs().stream().map(InputFile::path).toList();
            return new Side(side.name(), result.toolVersion(), inputs, result.verdict(), result.reason());
        }
    }

    /** A finding of either side, under the id that it had first; {@code ratio} is how often its rate before goes into that after. */
    public record FindingRow(
            Change change,
            Basis basis,
            String id,
            Finding.Kind kind,
            Finding.Severity severity,
            String title,
            Site site,
            double ratio,
            @Nullable FindingFigures before,
            @Nullable FindingFigures after) {
        private static FindingRow of(FindingChange change) {
            Finding finding = change.finding();
            return new FindingRow(
                    change.change(),
                    change.basis(),
                    change.id(),
                    finding.kind(),
                    finding.severity(),
                    finding.title(),
                    finding.site(),
                    change.ratio(),
                    FindingFigures.of(change.before()),
                    FindingFigures.of(change.after()));
        }
    }

    /** The figures of a finding that are compared; {@code low} and {@code high} are the ends of the rate's 95 % interval. */
    public record FindingFigures(
            String id,
            int input,
            int device,
            int line,
            Finding.Severity severity,
            long bytes,
            double bytesPerStep,
            double low,
            double high) {
        private static @Nullable FindingFigures of(@Nullable Finding finding) {
            return finding == null
                    ? null
                    : new FindingFigures(
                            finding.id(),
                            finding.input(),
                            finding.device(),
                            finding.site().line(),
                            finding.severity(),
                            finding.bytes(),
                            finding.bytesPerStep(),
                            finding.growth() == null
                                    ? Double.NaN
                                    : finding.growth().low(),
                            finding.growth() == null
                                    ? Double.NaN
                                    : finding.growth().high());
        }
    }

    /** A device of either side; {@code sites} are how many lines there are, of which the first are listed. */
    public record DeviceRow(
            @Nullable DeviceFigures before,
            @Nullable DeviceFigures after,
            long peakChangeBytes,
            int sites,
            List<SiteRow> bySite,
            long unlistedBytesBefore,
            long unlistedBytesAfter) {
        private static DeviceRow of(DeviceChange change, int top) {
            return new DeviceRow(
                    DeviceFigures.of(change.before()),
                    DeviceFigures.of(change.after()),
                    change.peakAfter() - change.peakBefore(),
                    change.sites().size(),
                    change.sites().stream().limit(top).map(SiteRow::of).toList(),
                    change.unlistedBefore(),
                    change.unlistedAfter());
        }
    }

    /** The figures of a device that are compared. */
    public record DeviceFigures(
            int input,
            int device,
            int events,
            long peakBytes,
            long peakReservedBytes,
            long endBytes,
            long endReservedBytes,
            StepFigures steps,
            Ring ring,
            double explainedShare) {
        private static @Nullable DeviceFigures of(@Nullable DeviceResult device) {
            return device == null
                    ? null
                    : new DeviceFigures(
                            device.input(),
                            device.device(),
                            device.events(),
                            device.peak().bytes(),
                            device.peak().reservedBytes(),
                            device.endBytes(),
                            device.endReservedBytes(),
                            new StepFigures(
                                    device.steps().count(),
                                    device.steps().kind(),
                                    device.steps().meaning()),
                            device.coverage().ring(),
                            device.coverage().explainedShare());
        }
    }

    /** The number of steps, and what a step is. */
    public record StepFigures(int count, StepSummary.Kind kind, String meaning) {}

    /** A line at the two peaks; where it stood before and stands after, null where it is not there. */
    public record SiteRow(
            Site.Kind kind,
            String file,
            int line,
            String function,
            long changeBytes,
            long bytesBefore,
            long bytesAfter,
            @Nullable Integer lineBefore,
            @Nullable Integer lineAfter) {
        private static SiteRow of(SiteChange change) {
            Site site = change.use().site();
            return new SiteRow(
                    site.kind(),
                    site.file(),
                    site.line(),
                    site.function(),
                    change.change(),
                    change.bytesBefore(),
                    change.bytesAfter(),
                    line(change.before()),
                    line(change.after()));
        }

        private static @Nullable Integer line(@Nullable SiteUse use) {
            return use == null ? null : use.line();
        }
    }
}
