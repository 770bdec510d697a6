package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Frame;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.JoinedDump.Held;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/** Prints what holder dumps show beside the findings: how well they fit, other owners, and what they cannot show. */
final class DumpText {
    /** Groups that get a line; leakline holders has all. */
    private static final int LISTED = 6;

    private final AnalysisResult result;
    private final Page page;
    private final Style style;

    private DumpText(AnalysisResult result, Style style) {
        this.result = result;
        this.page = new Page(style);
        this.style = style;
    }

    static List<String> lines(AnalysisResult result, Style style) {
        DumpText text = new DumpText(result, style);
        if (!result.dumps().isEmpty()) {
            boolean isTold = result.findings().stream()
                    .anyMatch(finding -> !finding.holders().isEmpty());
            text.page.heading(isTold ? "other owners" : "owners");
        }
        result.dumps().forEach(text::dump);
        return text.page.lines();
    }

    private void dump(JoinedDump dump) {
        if (!dump.sentence().isEmpty()) {
            String snapshot = dump.snapshot() == null ? "" : " and " + name(dump.snapshot());
            page.text(name(last(dump)) + snapshot + ": " + dump.sentence());
        }
        held(dump.rest().stream().filter(held -> !isTold(held)).toList());
        String lead = dump.snapshot() != null ? "" : name(last(dump)) + ": ";
        dump.notes().forEach(note -> page.text(lead + note, style::warning));
    }

    private static int last(JoinedDump dump) {
        return dump.inputs().size() == 0 ? 0 : dump.inputs().get(dump.inputs().size() - 1);
    }

    private String name(int input) {
        return new Frame(Printable.of(result.inputs().get(input).path()), 0, "").fileName();
    }

    /** Prints what may be wrong first, then what should be there. */
    private void held(List<Held> rest) {
        rest.stream()
                .sorted(Comparator.comparing((Held held) -> held.verdict() == Verdict.EXPECTED))
                .limit(LISTED)
                .forEach(held -> page.wrap(
                        "  - ",
                        held.sentence(),
                        held.verdict() == Verdict.STUCK ? style::warning : UnaryOperator.identity()));
        if (rest.size() > LISTED) {
            page.text("and " + Numbers.counted(rest.size() - LISTED, "more group"), style::faint);
        }
    }

    /** Returns whether a finding names the holder. */
    private boolean isTold(Held held) {
        return result.findings().stream()
                .flatMap(finding -> finding.holders().stream())
                .anyMatch(holder -> holder.signature().equals(held.signature()));
    }
}
