package dev.leakline.report.document;

import dev.leakline.codec.Codec;
import dev.leakline.report.Answer;
import dev.leakline.report.Given;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Brief;
import dev.leakline.result.Brief.Culprit;
import dev.leakline.result.Brief.Step;
import dev.leakline.result.BriefChange;
import dev.leakline.result.Comparison;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Frame;
import dev.leakline.text.Printable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** A report in at most {@value #MOST} bytes of JSON: the verdict, its line, its holder, what to do first, and the next command. */
public final class BriefReport {
    /** Bytes of all of it: a few hundred tokens. */
    static final int MOST = 1500;

    private static final int STEPS = 2;
    /** Characters of a text, from what a person reads in one go down to what always fits, whatever it takes to write it. */
    private static final int[] ROOM = {260, 200, 140, 90, 60, 30, 12, 6};
    /** Characters of a text below which a patch goes before the text becomes shorter. */
    private static final int LEGIBLE = 90;

    private final AnalysisResult result;
    private final Answer answer;
    private final int room;
    private final int patches;

    private BriefReport(AnalysisResult result, Answer answer, int room, int patches) {
        this.result = result;
        this.answer = answer;
        this.room = room;
        this.patches = patches;
    }

    /** The report as one line of JSON: with as many patches, and as much of each text, as there is room for. */
    public static String of(AnalysisResult result, Given given) {
        Answer answer = new Answer(result, given);
        for (int patches = STEPS; patches >= 0; patches--) {
            for (int room : ROOM) {
                String line = Codec.line(new BriefReport(result, answer, room, patches).brief());
                if (fits(line) && (patches == 0 || room >= LEGIBLE)) {
                    return line;
                }
            }
        }
        throw new IllegalStateException("an answer does not fit into " + MOST + " bytes");
    }

    /** A comparison as one line of JSON, within the same bounds; {@code next} is the command that goes on from it. */
    public static String of(Comparison comparison, String next) {
        for (int room : ROOM) {
            String line = Codec.line(BriefChange.of(comparison, room, next));
            if (fits(line)) {
                return line;
            }
        }
        throw new IllegalStateException("a comparison does not fit into " + MOST + " bytes");
    }

    private static boolean fits(String line) {
        return line.getBytes(StandardCharsets.UTF_8).length <= MOST;
    }

    private Brief brief() {
        List<Advice> advice = answer.steps();
        Finding first = answer.finding();
        List<String> unknown = answer.unknown();
        String host = result.onHost();
        return new Brief(
                Brief.SCHEMA,
                result.verdict(),
                cut(result.reason()),
                host == null ? null : cut(host),
                first == null ? null : culprit(first),
                result.findings().size(),
                answer.evidence()
                        .map(line -> cut((line.line() > 0 ? "line " + line.line() + ": " : "") + line.text()))
                        .orElse(null),
                IntStream.range(0, advice.size())
                        .mapToObj(i -> step(advice.get(i), i < patches))
                        .toList(),
                unknown.isEmpty() ? null : cut(String.join("; ", unknown)),
                answer.next().command());
    }

    private Culprit culprit(Finding finding) {
        Frame frame = finding.site().isLine() ? finding.site().frame() : null;
        return new Culprit(
                finding.id(),
                finding.kind(),
                finding.severity(),
                finding.confidence(),
                cut(finding.title()),
                frame == null ? null : end(frame.file()),
                frame == null ? 0 : frame.line(),
                frame == null ? null : cut(frame.function()),
                finding.keptAt() == null ? null : end(finding.keptAt().words()),
                answer.holder().map(holder -> cut(holder.title())).orElse(null),
                answer.holder().map(holder -> end(holder.way())).orElse(null),
                finding.bytes(),
                Math.rint(finding.bytesPerStep()),
                Math.rint(finding.stepsToOom()),
                Math.rint(finding.secondsToOom()));
    }

    private Step step(Advice advice, boolean hasPatch) {
        return new Step(cut(advice.action()), advice.patchSafety(), hasPatch ? advice.patch() : null);
    }

    private String cut(String text) {
        return Printable.cut(text, room);
    }

    /** The end of a path, which tells more than its beginning. */
    private String end(String path) {
        return path.length() <= room ? path : "…" + path.substring(path.length() - room + 1);
    }
}
