package dev.leakline.report;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Coverage;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.FindingHolder;
import dev.leakline.text.Printable;

/**
 * The command that goes on from a result: that verifies a change, where it is known what to change, else that records better.
 *
 * @param when what it is for, in a few words
 * @param command itself
 */
public record NextCommand(String when, String command) {
    /** Events to keep where those that are kept by default were too few. */
    private static final int LONGER = 2_000_000;

    /** The command after a result. */
    public static NextCommand of(AnalysisResult result, Given given) {
        boolean isRun = !given.job().isEmpty();
        if (result.verdict() == Verdict.NO_LEAK) {
            return result.devices().isEmpty()
                    ? new NextCommand("to see whether it stays so", "leakline watch")
                    : new NextCommand("to see what fills the peak", "leakline detail " + given.names() + " peak");
        }
        if (result.spoken() == null && !result.findings().isEmpty()) {
            Finding first = result.findings().getFirst();
            boolean isKept = first.kind() == Kind.LEAK || first.kind() == Kind.REFERENCE_CYCLE;
            boolean isHolderKnown =
                    !first.holders().isEmpty() || !result.dumps().isEmpty();
            return isRun || !isKept || isHolderKnown
                    ? verify(given, script(first))
                    : new NextCommand("to see who keeps it", "leakline run -- " + given.job(""));
        }
        boolean isCut =
                result.devices().stream().anyMatch(device -> device.coverage().ring() == Coverage.Ring.WRAPPED);
        if (isRun) {
            return isCut
                    ? new NextCommand("to record more", "leakline run --history " + LONGER + " -- " + given.job(""))
                    : verify(given, "");
        }
        return new NextCommand("to see which line", "leakline run -- " + given.job(""));
    }

    private static NextCommand verify(Given given, String script) {
        return new NextCommand("after a change", "leakline verify " + given.before() + " -- " + given.job(script));
    }

    /** The file that the process of a finding was started with; empty where no dump says. */
    private static String script(Finding finding) {
        return finding.holders().stream()
                .map(FindingHolder::program)
                .filter(program -> program.endsWith(".py"))
                .map(Printable::of)
                .findFirst()
                .orElse("");
    }
}
