package dev.leakline.report.document;

import dev.leakline.codec.Codec;
import dev.leakline.report.NextCommand;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Brief;
import dev.leakline.result.Brief.Culprit;
import dev.leakline.result.Brief.Step;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Frame;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A report in at most {@value #MOST} bytes of JSON: the verdict, its line, its holder, what to do first, and the next command. */
public final class BriefReport {
    /** Bytes of all of it: a few hundred tokens. */
    static final int MOST = 1500;

    private static final int STEPS = 2;
    private static final double HUNDREDTHS = 100;
    /** Characters of a text, from what a person reads in one go down to what always fits; patches go before texts become shorter. */
    private static final int[] ROOM = {260, 200, 140, 90, 60};

    private final AnalysisResult result;
    private final int room;
    private final int patches;

    private BriefReport(AnalysisResult result, int room, int patches) {
        this.result = result;
        this.room = room;
        this.patches = patches;
    }

    /** The report as one line of JSON: with as many patches, and as much of each text, as there is room for. */
    public static String of(AnalysisResult result) {
        String line = "";
        for (int room : ROOM) {
            for (int patches = STEPS; patches >= 0; patches--) {
                line = Codec.line(new BriefReport(result, room, patches).brief());
                if (line.getBytes(StandardCharsets.UTF_8).length <= MOST) {
                    return line;
                }
            }
        }
        return line;
    }

    private Brief brief() {
        List<Advice> advice = result.advice();
        Finding first = result.findings().isEmpty() ? null : result.findings().getFirst();
        return new Brief(
                Brief.SCHEMA,
                result.verdict(),
                cut(result.reason()),
                first == null ? null : culprit(first),
                result.findings().size(),
                IntStream.range(0, Math.min(advice.size(), STEPS))
                        .mapToObj(i -> step(advice.get(i), i < patches))
                        .toList(),
                unknown(),
                NextCommand.of(result).orElse("leakline report --full FILES"));
    }

    private Culprit culprit(Finding finding) {
        Frame frame = finding.site().isLine() ? finding.site().frame() : null;
        String holder =
                finding.holders().stream().findFirst().map(FindingHolder::title).orElse(null);
        return new Culprit(
                finding.id(),
                finding.kind(),
                finding.severity(),
                Math.round(finding.confidence() * HUNDREDTHS) / HUNDREDTHS,
                cut(finding.title()),
                frame == null ? null : end(frame.file()),
                frame == null ? 0 : frame.line(),
                frame == null ? null : cut(frame.function()),
                finding.keptAt() == null ? null : end(finding.keptAt().words()),
                holder == null ? null : cut(holder),
                finding.bytes(),
                whole(finding.bytesPerStep()),
                whole(finding.stepsToOom()),
                whole(finding.secondsToOom()));
    }

    /** Digits behind the point of a rate, or of a forecast, mean nothing. */
    private static double whole(double value) {
        return Double.isFinite(value) ? Math.rint(value) : value;
    }

    private Step step(Advice advice, boolean hasPatch) {
        return new Step(cut(advice.action()), advice.patchSafety(), hasPatch ? advice.patch() : null);
    }

    private @Nullable String unknown() {
        String leaks = result.leaks();
        return leaks == null ? null : cut(leaks);
    }

    private String cut(String text) {
        return text.length() <= room ? text : text.substring(0, room - 1) + "…";
    }

    /** The end of a path, which tells more than its beginning. */
    private String end(String path) {
        return path.length() <= room ? path : "…" + path.substring(path.length() - room + 1);
    }
}
