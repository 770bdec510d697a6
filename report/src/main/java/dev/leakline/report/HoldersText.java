package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Dump;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Owner;
import dev.leakline.result.Holders.Totals;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Prints the owners of device memory for people at a terminal: a screen for each group that may be wrong, a line for each that is expected.
 */
public final class HoldersText {
    /** Groups that are as they should be and get a line each. */
    private static final int EXPECTED_LISTED = 5;

    private final Holders result;
    private final int top;
    private final Style style;
    private final Page page;
    private final TraceText trace;

    private HoldersText(Holders result, int top, Style style) {
        this.result = result;
        this.top = top;
        this.style = style;
        this.page = new Page(style);
        this.trace = new TraceText(page, style);
    }

    /** The whole text, with a line feed after each line; of groups that may be wrong the first {@code top} are told in full. */
    public static String of(Holders result, int top, Style style) {
        HoldersText text = new HoldersText(result, top, style);
        text.write();
        return String.join("\n", text.page.lines()) + "\n";
    }

    private void write() {
        result.dumps().forEach(this::dump);
        totals(result.totals());
        result.coverage().forEach(sentence -> page.text(sentence, style::warning));
        List<Group> open = result.groups().stream()
                .filter(group -> group.verdict() != Verdict.EXPECTED)
                .toList();
        open.stream().limit(top).forEach(this::group);
        if (open.size() > top) {
            page.blank();
            long bytes = open.stream().skip(top).mapToLong(Group::bytes).sum();
            page.text("and " + Numbers.counted(open.size() - top, "more group") + " of " + ByteSize.format(bytes)
                    + "; --top shows more, --format json has all");
        }
        expected();
    }

    private void dump(Dump dump) {
        if (!page.lines().isEmpty()) {
            page.blank();
        }
        page.wrap("", dump.file().path(), style::bold);
        List<String> parts = new ArrayList<>();
        parts.add(dump.program().isEmpty() ? "a process" : dump.program());
        parts.add("pid " + dump.pid());
        if (dump.rank() >= 0) {
            parts.add("rank " + dump.rank());
        }
        if (dump.step() >= 0) {
            parts.add("step " + Numbers.grouped(dump.step()));
        }
        parts.add("Python " + dump.python() + (dump.torch() == null ? "" : ", torch " + dump.torch()));
        parts.add("paused for " + Numbers.grouped(dump.pauseMs()) + " ms");
        page.text(String.join(", ", parts));
        if (dump.file().incomplete() != null) {
            page.text("incomplete: " + dump.file().incomplete(), style::warning);
        }
    }

    private void totals(Totals totals) {
        page.text(ByteSize.format(totals.bytes()) + " of tensors in " + Numbers.counted(totals.storages(), "storage")
                + (totals.bytes() == 0 ? "" : ": " + shares(totals)));
    }

    private static String shares(Totals totals) {
        List<String> shares = new ArrayList<>();
        share(shares, totals.expectedBytes(), totals, "expected");
        share(shares, totals.namedBytes(), totals, "with a named owner");
        share(shares, totals.cycleBytes(), totals, "in unreferenced cycles");
        share(shares, totals.nativeBytes(), totals, "held by native code");
        share(shares, totals.unseenBytes(), totals, "held by an unknown owner");
        return String.join(", ", shares);
    }

    private static void share(List<String> shares, long bytes, Totals totals, String what) {
        if (bytes > 0) {
            shares.add(Numbers.percent((double) bytes / totals.bytes()) + " " + what);
        }
    }

    private void group(Group group) {
        page.blank();
        page.wrap("", head(group), look(group));
        page.wrap("", group.title(), style::bold);
        List<Cycle> cycles = result.cycles().stream()
                .filter(cycle ->
                        group.owner() == Owner.CYCLE && cycle.signature().equals(group.signature()))
                .toList();
        cycles.forEach(this::cycle);
        trace.path(group.path());
        figures(group);
        group.advice().stream().limit(2).forEach(this::advice);
    }

    private UnaryOperator<String> look(Group group) {
        return group.verdict() == Verdict.STUCK ? text -> style.bold(style.alarm(text)) : style::bold;
    }

    private String head(Group group) {
        double share = result.totals().bytes() == 0
                ? 0
                : (double) group.bytes() / result.totals().bytes();
        Growth growth = group.growth();
        boolean isNew = growth != null && growth.bytes().get(growth.bytes().size() - 2) == 0;
        return (group.verdict() == Verdict.STUCK ? "stuck   " : "unknown   ")
                + Numbers.amount(group.bytes(), group.storages(), "storage") + ", "
                + Numbers.percent(share) + " of all tensor bytes   " + group.signature() + (isNew ? "   new" : "");
    }

    private void cycle(Cycle cycle) {
        page.wrap("", cycle.sentence(), UnaryOperator.identity());
        trace.cycle(cycle.hops());
        page.blank();
    }

    private void figures(Group group) {
        if (group.keptAt() != null) {
            page.wrap("", "Added at: " + group.keptAt().words(), UnaryOperator.identity());
        }
        page.wrap("", "Frees: " + group.frees(), UnaryOperator.identity());
        page.wrap("", "Reachable: " + ByteSize.format(group.reachableBytes()), UnaryOperator.identity());
        Growth growth = group.growth();
        if (growth != null) {
            String change = growth.hasGrown() ? "Grew: " : "Did not grow: ";
            page.wrap("", change + growth.sentence(), UnaryOperator.identity());
        }
    }

    private void advice(Advice advice) {
        page.wrap("Try: ", advice.action(), style::accent);
        page.wrap("     ", advice.why(), style::faint);
        AdviceText.change(advice, page, style);
    }

    private void expected() {
        List<Group> expected = result.groups().stream()
                .filter(group -> group.verdict() == Verdict.EXPECTED)
                .toList();
        if (expected.isEmpty()) {
            return;
        }
        page.heading("expected: " + ByteSize.format(result.totals().expectedBytes()));
        for (Group group : expected.subList(0, Math.min(EXPECTED_LISTED, expected.size()))) {
            page.wrap(
                    "  ",
                    ByteSize.format(group.bytes()) + "  " + group.title() + " ("
                            + group.path().getLast().reason() + ")",
                    UnaryOperator.identity());
        }
        if (expected.size() > EXPECTED_LISTED) {
            page.text("and " + (expected.size() - EXPECTED_LISTED) + " more");
        }
    }
}
