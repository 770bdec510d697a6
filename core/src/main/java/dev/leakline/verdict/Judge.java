package dev.leakline.verdict;

import dev.leakline.finding.Opinion;
import dev.leakline.finding.Order;
import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
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
 * else is known to be wrong.
 */
public final class Judge {
    /** Of less than this share of what was live nobody would say that it leaks; a log of numbers takes less. */
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
     * The opinion of all.
     *
     * @param events what recordings and profiles of functions say
     * @param figures what figures over time say, null where there are none
     * @param messages what messages about memory that ran out say, null where there are none
     * @param dumps who holds the memory of the same processes
     */
    public Opinion judge(
            List<Opinion> events, @Nullable Opinion figures, @Nullable Opinion messages, List<JoinedDump> dumps) {
        Opinion opinion = figures == null ? join(events) : events.isEmpty() ? figures : beside(join(events), figures);
        if (messages != null && !isFound(opinion.verdict()) && isFound(messages.verdict())) {
            opinion = joined(opinion, messages, messages.verdict(), messages.reason());
        }
        String stuck = opinion.verdict() == Verdict.NO_LEAK ? stuck(dumps) : "";
        return new Opinion(
                stuck.isEmpty() ? opinion.verdict() : Verdict.UNDETERMINED,
                stuck.isEmpty()
                        ? opinion.reason()
                        : "no line grows from step to step in the recording, but its holder dump says: " + stuck,
                Order.of(opinion.findings(), devices),
                opinion.acquittals(),
                opinion.checks());
    }

    /** What two kinds of figures say together, null where neither says anything. */
    public static @Nullable Opinion together(@Nullable Opinion first, @Nullable Opinion second) {
        return first == null ? second : second == null ? first : join(List.of(first, second));
    }

    /** What a dump that fits a recording has and should not, in words; empty where nothing is worth them. */
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

    /** Whether something is held that should not be, of more steps than a variable has that holds the last result and is about to be set to the next. */
    private static boolean isStuck(JoinedDump.Held held) {
        return held.verdict() == Holders.Verdict.STUCK && held.steps() > STEPS_OF_A_VARIABLE;
    }

    /** A verdict that something is wrong comes before one that nothing is, and that before none. */
    private static Opinion join(List<Opinion> opinions) {
        Opinion first = opinions.stream()
                .min(Comparator.comparingInt(opinion -> rank(opinion.verdict())))
                .orElseGet(() -> ofRecordings(List.of()));
        Opinion joined = new Opinion(first.verdict(), first.reason(), first.findings(), first.acquittals(), List.of());
        for (Opinion opinion : opinions) {
            Opinion more = opinion.equals(first)
                    ? new Opinion(opinion.verdict(), opinion.reason(), List.of(), List.of(), opinion.checks())
                    : opinion;
            joined = joined(joined, more, first.verdict(), first.reason());
        }
        return joined;
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

    /** What figures say beside what events say. */
    private static Opinion beside(Opinion events, Opinion figures) {
        Verdict verdict = figures.verdict();
        boolean adds = events.verdict() == Verdict.NO_LEAK
                && figures.findings().stream().anyMatch(Judge::isResidual);
        boolean isLed = events.verdict() != Verdict.UNDETERMINED && !adds;
        return joined(
                events,
                figures,
                isLed || verdict == Verdict.UNDETERMINED ? events.verdict() : verdict,
                isLed ? ledReason(events, figures) : followedReason(events, figures));
    }

    private static boolean isResidual(Finding finding) {
        return finding.kind() == Kind.RESIDUAL && finding.severity() != Severity.INFO;
    }

    private static String followedReason(Opinion events, Opinion figures) {
        return figures.verdict() == Verdict.UNDETERMINED
                ? events.reason()
                : figures.reason() + ". Of the snapshot: " + events.reason();
    }

    private static String ledReason(Opinion events, Opinion figures) {
        boolean isLeak = events.verdict() == Verdict.LEAK;
        boolean isAgreed = figures.verdict() == Verdict.UNDETERMINED || isLeak == (figures.verdict() == Verdict.LEAK);
        boolean isJudged = isLeak || events.verdict() == Verdict.NO_LEAK;
        return isAgreed || !isJudged
                ? events.reason()
                : events.reason() + ". The figures say otherwise: " + figures.reason();
    }

    private static Opinion joined(Opinion first, Opinion second, Verdict verdict, String reason) {
        List<Finding> findings = new ArrayList<>(first.findings());
        findings.addAll(second.findings());
        List<Acquittal> acquittals = new ArrayList<>(first.acquittals());
        acquittals.addAll(second.acquittals());
        List<Check> checks = new ArrayList<>(first.checks());
        checks.addAll(second.checks());
        return new Opinion(verdict, reason, findings, acquittals, checks);
    }
}
