package dev.leakline.verdict;

import dev.leakline.finding.Opinion;
import dev.leakline.finding.Order;
import dev.leakline.result.AnalysisResult.Source;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Conclusion;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Holders;
import dev.leakline.result.JoinedDump;
import dev.leakline.verdict.DeviceAnalysis.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins the opinions of all kinds of evidence into one verdict with its reason, and orders the findings. Nothing else ranks.
 *
 * <p>Recordings and profiles of functions show what happens, so their verdict leads: the verdict is that of the most serious finding, if it is of
 * a kind that has one. Figures take its place where it cannot answer, and see what it cannot: memory outside of PyTorch's allocator. Where
 * they say something else of the allocator's memory, the reason says so. Messages about memory that ran out are the verdict where nothing
 * else is known to be wrong. Texts without a recording speak for all that is in them.
 */
public final class Judge {
    /** The least share of live memory that anyone would call leaked; a log of numbers takes less. */
    private static final double WORTH_TELLING = 0.005;
    /** A variable holds what one step made, and may hold it until the next has made its own. */
    private static final int STEPS_OF_A_VARIABLE = 2;

    private final List<DeviceResult> devices;

    /** A judge of a case; {@code devices} are what its recordings show. */
    public Judge(List<DeviceResult> devices) {
        this.devices = devices;
    }

    /** Joins the results of the detectors on recorded devices. */
    public static Opinion ofRecordings(List<Outcome> outcomes) {
        return RecordingOpinion.of(outcomes);
    }

    /**
     * The opinion of all that was measured.
     *
     * @param events what recordings and profiles of functions say
     * @param figures what figures over time say, null where there are none
     * @param messages what messages about memory that ran out say, null where there are none
     * @param dumps who holds the memory of the same processes
     * @param isCut whether a recording was not read to its end
     */
    public Opinion measured(
            List<Opinion> events,
            @Nullable Opinion figures,
            @Nullable Opinion messages,
            List<JoinedDump> dumps,
            boolean isCut) {
        Opinion opinion = figures == null ? join(events) : events.isEmpty() ? figures : beside(join(events), figures);
        if (messages != null && !isFound(opinion.verdict()) && isFound(messages.verdict())) {
            opinion = messages.with(opinion);
        }
        Opinion whole = stuck(opinion, dumps);
        return ordered(isCut ? ofPart(whole) : whole);
    }

    /**
     * The opinion of all evidence. Texts that stand alone speak for it: their conclusion was drawn from figures and messages as well, and from what
     * programs print beside them. Only where they leave open what was measured, that stands.
     *
     * @param measured the opinion of all that was measured
     * @param texts what all texts say together
     * @param isAlone whether there is neither a recording, nor a dump, nor a profile of functions, which show more than texts
     */
    public static Opinion concluded(Opinion measured, Conclusion texts, boolean isAlone) {
        Verdict told = texts.verdict().judged();
        boolean isMeasured = measured.source() != Source.MESSAGES && measured.verdict() != Verdict.UNDETERMINED;
        boolean isOpen = texts.verdict() == Conclusion.Kind.UNDETERMINED && measured.source() == Source.FIGURES;
        boolean speaks = isAlone && !isOpen && (told != Verdict.UNDETERMINED || !isMeasured);
        return speaks ? measured.because(Source.TEXTS, told, texts.sentence()) : measured;
    }

    private Opinion ordered(Opinion opinion) {
        return new Opinion(
                opinion.source(),
                opinion.verdict(),
                opinion.reason(),
                Order.of(opinion.findings(), devices),
                opinion.acquittals(),
                opinion.checks());
    }

    /** Joins what two kinds of figures say, null where neither says anything. */
    public static @Nullable Opinion together(@Nullable Opinion first, @Nullable Opinion second) {
        return first == null ? second : second == null ? first : join(List.of(first, second));
    }

    /** An opinion that nothing leaks, unless dumps show what is held and should not be. */
    private static Opinion stuck(Opinion opinion, List<JoinedDump> dumps) {
        String stuck = opinion.verdict() == Verdict.NO_LEAK ? stuck(dumps) : "";
        return stuck.isEmpty()
                ? opinion
                : opinion.because(
                        Source.DUMPS,
                        Verdict.UNDETERMINED,
                        "no line grows from step to step in the recording, but its holder dump says: " + stuck);
    }

    /** An opinion of part of a recording: what is not there may leak. */
    private static Opinion ofPart(Opinion opinion) {
        return opinion.verdict() != Verdict.NO_LEAK
                ? opinion
                : opinion.because(
                        opinion.source(),
                        Verdict.UNDETERMINED,
                        "the file is cut, and in the part that is there nothing is known to leak: " + opinion.reason());
    }

    /** A sentence about memory in a dump that fits a recording and should be gone; empty where nothing is worth it. */
    private static String stuck(List<JoinedDump> dumps) {
        return dumps.stream()
                .filter(dump -> dump.snapshot() != null)
                .flatMap(dump -> dump.rest().stream()
                        .filter(Judge::isStuck)
                        .filter(held -> held.bytes() > WORTH_TELLING * dump.bytes()))
                .map(JoinedDump.Held::sentence)
                .findFirst()
                .orElse("");
    }

    /** Returns whether something is held that should not be, of more steps than a variable has that holds the last result and is about to be set to the next. */
    private static boolean isStuck(JoinedDump.Held held) {
        return held.verdict() == Holders.Verdict.STUCK && held.steps() > STEPS_OF_A_VARIABLE;
    }

    /** A verdict that something is wrong comes before one that nothing is, and that before none. */
    private static Opinion join(List<Opinion> opinions) {
        List<Opinion> leading = new ArrayList<>(opinions);
        leading.sort(Comparator.comparingInt(opinion -> rank(opinion.verdict())));
        return leading.stream().reduce(Opinion::with).orElseGet(() -> ofRecordings(List.of()));
    }

    private static int rank(Verdict verdict) {
        return switch (verdict) {
            case UNDETERMINED -> 2;
            case NO_LEAK -> 1;
            default -> 0;
        };
    }

    private static boolean isFound(Verdict verdict) {
        return rank(verdict) == 0;
    }

    /** The opinion of events with that of figures beside it. */
    private static Opinion beside(Opinion events, Opinion figures) {
        boolean adds = events.verdict() == Verdict.NO_LEAK
                && figures.findings().stream().anyMatch(Judge::isResidual);
        boolean isLed = events.verdict() != Verdict.UNDETERMINED && !adds;
        Opinion both = events.with(figures);
        if (isLed || figures.verdict() == Verdict.UNDETERMINED) {
            return both.because(
                    events.source(), events.verdict(), isLed ? ledReason(events, figures) : events.reason());
        }
        return both.because(
                figures.source(), figures.verdict(), figures.reason() + ". Of the snapshot: " + events.reason());
    }

    private static boolean isResidual(Finding finding) {
        return finding.kind() == Kind.RESIDUAL && finding.severity() != Severity.INFO;
    }

    private static String ledReason(Opinion events, Opinion figures) {
        boolean isLeak = events.verdict() == Verdict.LEAK;
        boolean isAgreed = figures.verdict() == Verdict.UNDETERMINED || isLeak == (figures.verdict() == Verdict.LEAK);
        boolean isJudged = isLeak || events.verdict() == Verdict.NO_LEAK;
        return isAgreed || !isJudged
                ? events.reason()
                : events.reason() + ". The figures say otherwise: " + figures.reason();
    }
}
