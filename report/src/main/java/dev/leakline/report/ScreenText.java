package dev.leakline.report;

import dev.leakline.report.terminal.Chart;
import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Source;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Growth;
import dev.leakline.result.Holders;
import dev.leakline.result.HostMemory;
import dev.leakline.result.InputFile;
import dev.leakline.result.JobProcess;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.Lever;
import dev.leakline.result.Peak;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A result on one screen: the answer, who keeps the memory, how sure that is, what to do, and the command that shows the rest. Parts take their turn by
 * how much they matter, and those for which no room is left are not shown.
 */
public final class ScreenText {
    /** Lines of a screen. */
    static final int LINES = 40;
    /** Bytes of it, as UTF-8, without colours: what a person reads at once. */
    static final int BYTES = 2048;

    /** Rows that a terminal has at the least; of a longer text it shows the end, which then says the verdict once more. */
    private static final int ROWS = 22;

    private static final int LABEL = 11;
    private static final int CHART = 40;
    private static final int STEPS = 2;
    private static final int OTHERS = 3;
    private static final int USES = 4;
    private static final int FACTS = 6;
    /** Characters of a sentence that says why, so that it takes a line or two. */
    private static final int SENTENCE = 150;
    /** Characters of a path, whose end tells more. */
    private static final int PATH = 120;

    private static final String ARROW = " \u2192 ";

    /** A part of the screen, in the order in which they stand; {@code turn} says who gets room first. */
    private record Part(int turn, List<String> lines, int bytes) {}

    private final AnalysisResult result;
    private final Given given;
    private final Answer answer;
    private final Style style;
    private final List<Part> parts = new ArrayList<>();

    private ScreenText(AnalysisResult result, Given given, Style style) {
        this.result = result;
        this.given = given;
        this.answer = new Answer(result, given);
        this.style = style;
    }

    /** The screen, with a line feed after each line. */
    public static String of(AnalysisResult result, Given given, Style style) {
        ScreenText text = new ScreenText(result, given, style);
        text.write();
        List<String> lines = new ArrayList<>(text.fitting());
        if (style.isWrapped() && lines.size() > ROWS) {
            lines.addAll(text.parts.getFirst().lines);
        }
        return String.join("\n", lines) + "\n";
    }

    private void write() {
        part(0, this::verdict);
        part(0, this::host);
        part(0, this::incomplete);
        if (TextReport.isEmpty(result)) {
            part(1, page -> page.text(TextReport.NOTHING_HELD));
        }
        part(2, this::texts);
        Finding first = answer.finding();
        if (first != null) {
            finding(first);
        }
        part(3, this::owners);
        List<Advice> advice = answer.steps();
        for (int i = 0; i < advice.size(); i++) {
            step(i + 1, advice.get(i));
        }
        part(4, this::peak);
        part(4, page -> page.lines(CountersText.lines(result.process(), OTHERS)));
        part(5, this::others);
        part(0, Page::blank);
        part(5, this::inputs);
        part(6, page -> {
            if (answer.lacksSource()) {
                page.labelled(
                        "source",
                        LABEL,
                        "not at hand; " + Answer.SOURCE + " adds the lines, and patches where one is known");
            }
        });
        part(0, page -> page.labelled("more", LABEL, given.more()));
        NextCommand next = answer.next();
        part(0, page -> page.labelled("next", LABEL, next.when() + ": " + next.command()));
    }

    private void part(int turn, Consumer<Page> writer) {
        Page page = written(writer, style);
        Page plain = style.hasColor() ? written(writer, style.plain()) : page;
        int bytes = plain.lines().stream()
                .mapToInt(line -> line.getBytes(StandardCharsets.UTF_8).length + 1)
                .sum();
        parts.add(new Part(turn, page.lines(), bytes));
    }

    private static Page written(Consumer<Page> writer, Style look) {
        Page page = new Page(look);
        writer.accept(page);
        return page;
    }

    /** Parts as far as there is room: those of an earlier turn first, and of one turn in their order. */
    private List<String> fitting() {
        List<Part> shown = new ArrayList<>();
        int lines = 0;
        int bytes = 0;
        for (Part part :
                parts.stream().sorted((a, b) -> Integer.compare(a.turn, b.turn)).toList()) {
            boolean fits = lines + part.lines.size() <= LINES && bytes + part.bytes <= BYTES;
            if (fits || part.turn == 0) {
                shown.add(part);
                lines += part.lines.size();
                bytes += part.bytes;
            }
        }
        List<String> all = new ArrayList<>();
        parts.stream()
                .filter(shown::contains)
                .flatMap(part -> part.lines.stream())
                .forEach(line -> {
                    boolean repeatsBlank =
                            line.isEmpty() && !all.isEmpty() && all.getLast().isEmpty();
                    if (!repeatsBlank) {
                        all.add(line);
                    }
                });
        return all;
    }

    private void verdict(Page page) {
        Conclusion said = result.spoken();
        String leaks = result.leaks();
        if (leaks != null) {
            page.wrap("", result.headline(), style::bold);
            page.wrap("", cut(leaks), style::faint);
            return;
        }
        String head = said == null ? result.verdict().word() : said.head();
        page.wrap(head + "   ", cut(result.reason()), VerdictLook.of(result.verdict(), style));
    }

    /** The host's memory of the process that is worst off, of which the verdict says nothing; with what to do, where it leaks. */
    private void host(Page page) {
        JobProcess worst = result.worstOnHost();
        if (worst == null) {
            return;
        }
        HostMemory host = worst.hostMemory();
        boolean leaks = host.verdict() == HostMemory.Verdict.LEAK;
        page.wrap(
                leaks ? "leak, host memory   " : "That is about device memory. On the host: ",
                "process " + worst.pid() + ": " + host.sentence(),
                leaks ? VerdictLook.of(Verdict.LEAK, style) : UnaryOperator.identity());
        if (leaks && answer.finding() != null) {
            host.advice().stream().limit(1).forEach(advice -> page.labelled("to do", LABEL, advice));
        }
    }

    private void incomplete(Page page) {
        result.inputs().stream()
                .map(InputFile::incomplete)
                .filter(Objects::nonNull)
                .limit(1)
                .forEach(reason -> page.text("incomplete: " + reason, style::warning));
    }

    /** Shows the conclusion of texts, where they speak or stand beside a recording. */
    private void texts(Page page) {
        Conclusion said = result.conclusion();
        if (said == null) {
            return;
        }
        if (result.spoken() == null && result.spokenBy() != Source.MESSAGES) {
            if (said.verdict() != Conclusion.Kind.UNDETERMINED) {
                page.text(cut("the texts: " + said.sentence()));
            }
            return;
        }
        answer.evidence()
                .ifPresent(one -> page.text(
                        (one.line() > 0 ? "line " + Numbers.grouped(one.line()) + ": " : "") + cut(one.text()),
                        style::faint));
        said.facts().entrySet().stream()
                .limit(FACTS)
                .forEach(fact -> page.labelled(
                        Conclusion.label(fact.getKey(), fact.getValue()),
                        2 * LABEL,
                        fact.getValue().words()));
        if (!said.open().isEmpty()) {
            page.text(said.open(), style::faint);
        }
        if (said.unread() != null) {
            page.text(said.unread().sentence(), style::faint);
        }
    }

    private void finding(Finding finding) {
        part(1, page -> {
            if (answer.isKept()) {
                page.blank();
                page.labelled(Labels.words(finding.severity()), LABEL, finding.title());
            }
            answer.holder().ifPresent(holder -> page.labelled("kept by", LABEL, fromRoot(holder.sentence())));
            if (finding.keptAt() != null) {
                page.labelled("added at", LABEL, shortened(finding.keptAt().words()));
            }
            if (finding.site().isLine()) {
                page.labelled(
                        "allocated", LABEL, shortened(finding.site().frame().inWords()) + where(finding));
            }
            answer.figures().forEach(line -> page.labelled(line.label(), LABEL, line.text()));
        });
        part(3, page -> chart(page, finding.growth()));
        part(
                4,
                page -> page.labelled(
                        "sure",
                        LABEL,
                        Numbers.percent(finding.confidence())
                                + finding.confidenceReasons().stream()
                                        .findFirst()
                                        .map(reason -> ": " + cut(reason))
                                        .orElse("")));
    }

    private String where(Finding finding) {
        boolean isOneOfMany = result.devices().size() > 1 || Devices.recordings(result) > 1;
        return isOneOfMany ? ", " + Devices.name(result, finding) : "";
    }

    /** How it grew, in one row. */
    private void chart(Page page, @Nullable Growth growth) {
        if (growth == null || growth.floor().size() < 2) {
            return;
        }
        List<Chart.Point> points = growth.floor().stream()
                .map(point -> new Chart.Point(point.step(), point.bytes(), 0))
                .toList();
        String row = Chart.row(points, CHART, style);
        if (!row.isEmpty()) {
            page.line("  " + " ".repeat(LABEL) + row + " "
                    + ByteSize.format(points.getLast().filled()) + " by step "
                    + Numbers.grouped(growth.floor().getLast().step()));
        }
    }

    private void step(int number, Advice advice) {
        part(number, page -> {
            if (number == 1) {
                page.blank();
            }
            page.wrap("  " + number + ". ", advice.action(), number == 1 ? style::bold : UnaryOperator.identity());
        });
        if (number == 1) {
            part(6, page -> page.wrap("     ", cut(advice.why()), style::faint));
            part(2, page -> AdviceText.change(advice, page, style));
        }
    }

    /** Shows the uses of the peak, and the levers where none is advised yet; or, where a leak explains it, its largest lines. */
    private void peak(Page page) {
        Peak peak = result.highestPeak();
        if (peak == null || peak.bytes() == 0 || result.spoken() != null) {
            return;
        }
        page.blank();
        page.text("at the peak of " + ByteSize.format(peak.bytes()));
        if (result.verdict() == Verdict.LEAK || peak.byCategory().isEmpty()) {
            peak.bySite().stream()
                    .filter(use -> use.site().isLine())
                    .limit(USES)
                    .forEach(use -> page.labelled(
                            ByteSize.format(use.bytes()),
                            LABEL,
                            shortened(use.site().frame().inWords())));
        } else {
            peak.byCategory().stream()
                    .limit(USES)
                    .forEach(use -> page.labelled(
                            ByteSize.format(use.bytes()), LABEL, use.category().words()));
            List<Lever> levers = answer.steps().isEmpty() ? result.leversOfPeak() : List.of();
            levers.stream()
                    .limit(STEPS)
                    .forEach(lever -> page.wrap("  - ", cut(lever.sentence()), UnaryOperator.identity()));
        }
    }

    /** Names the owners in dumps beside a finding, where no holder of the finding itself is known. */
    private void owners(Page page) {
        boolean isKnown = result.findings().stream()
                .limit(1)
                .anyMatch(first -> !first.holders().isEmpty());
        List<JoinedDump> dumps = isKnown ? List.of() : result.dumps();
        List<String> held = dumps.stream()
                .flatMap(dump -> dump.rest().stream())
                .filter(kept -> kept.verdict() != Holders.Verdict.EXPECTED)
                .map(JoinedDump.Held::sentence)
                .limit(OTHERS)
                .toList();
        if (!held.isEmpty()) {
            page.heading("owners");
        }
        held.forEach(owner -> page.wrap("  - ", cut(owner), UnaryOperator.identity()));
    }

    private void others(Page page) {
        List<Finding> others =
                result.findings().stream().skip(result.spoken() == null ? 1 : 0).toList();
        if (!others.isEmpty()) {
            page.heading("also found");
            others.stream().limit(OTHERS).forEach(finding -> page.line("  " + FindingText.line(finding, style)));
        }
        if (others.size() > OTHERS) {
            page.text("and " + Numbers.grouped(others.size() - OTHERS) + " more", style::faint);
        }
    }

    private void inputs(Page page) {
        List<InputFile> inputs = result.inputs();
        String names = inputs.stream().limit(OTHERS).map(InputFile::path).collect(Collectors.joining(", "));
        String left = inputs.size() > OTHERS ? " and " + Numbers.grouped(inputs.size() - OTHERS) + " more" : "";
        page.labelled("of", LABEL, names + left);
    }

    private static String cut(String text) {
        if (text.length() <= SENTENCE) {
            return text;
        }
        int end = text.lastIndexOf(". ", SENTENCE);
        if (end >= SENTENCE / 2) {
            return text.substring(0, end + 1);
        }
        int blank = text.lastIndexOf(' ', SENTENCE);
        return text.substring(0, blank < SENTENCE / 2 ? SENTENCE : blank) + " …";
    }

    /** A way from a root: of a long one the first reference and the end. */
    private static String fromRoot(String way) {
        int first = way.indexOf(ARROW);
        int left = PATH - first - ARROW.length();
        int next = way.indexOf(ARROW, way.length() - Math.max(left, 0));
        return way.length() <= PATH || first < 0 || next <= first
                ? shortened(way)
                : way.substring(0, first) + ARROW + "…" + way.substring(next);
    }

    private static String shortened(String text) {
        return text.length() <= PATH ? text : "…" + text.substring(text.length() - PATH);
    }
}
