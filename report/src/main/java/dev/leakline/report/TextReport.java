package dev.leakline.report;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.InputFile;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A result for people at a terminal. The verdict comes first, in a sentence; then what is wrong and what to do, or why what looks wrong
 * is not; then the evidence: what repeats, what each device held, what the recordings can and cannot tell.
 */
public final class TextReport {
    /** Inputs that are named at the top; a job may have thousands of ranks. */
    private static final int INPUTS_NAMED = 3;
    /** Findings that are told in full; nobody mends more at once. */
    private static final int FINDINGS_TOLD = 5;
    /** Findings that are told in a line each. */
    private static final int FINDINGS_LISTED = 20;
    /** Acquittals that are told; those that look most like leaks come first. */
    private static final int ACQUITTALS_TOLD = 5;
    /** A sentence about snapshots without any memory. */
    static final String NOTHING_HELD =
            "No device held any memory: the snapshot has neither segments nor events, as of a job that ran on the CPU alone.";
    /** Room for why something is no leak. */
    private static final int REASON = 15;

    /**
     * Options of the text.
     *
     * @param top sites of a peak, at most
     * @param hasStacks whether each site comes with its stacks
     * @param hasTree whether to show the calls that the peak came through
     */
    public record Options(int top, boolean hasStacks, boolean hasTree) {}

    private final AnalysisResult result;
    private final Options options;
    private final Style style;
    private final Page page;

    private TextReport(AnalysisResult result, Options options, Style style) {
        this.result = result;
        this.options = options;
        this.style = style;
        this.page = new Page(style);
    }

    /** The whole report, with a line feed after each line. */
    public static String of(AnalysisResult result, Options options, Style style) {
        TextReport report = new TextReport(result, options, style);
        report.write();
        return String.join("\n", report.page.lines()) + "\n";
    }

    private void write() {
        nameInputs();
        writeVerdict();
        writeFindings();
        if (result.verdict() == Verdict.NO_LEAK) {
            writeAcquittals();
        }
        page.lines(OutOfMemoryText.lines(result, style));
        page.lines(DumpText.lines(result, style));
        page.lines(StepText.lines(result, style));
        describeInputs();
        result.devices().forEach(device -> page.lines(DeviceText.lines(result, device, options, style)));
        page.lines(SeriesText.lines(result, style));
        page.lines(FunctionText.lines(result, options, style));
        page.lines(HostText.lines(result, style));
        page.lines(CountersText.lines(result.process(), options.top()));
        writeUnchecked();
    }

    /** The first few inputs, and all that are not whole: a verdict on part of a file must not be taken for one on all of it. */
    private void nameInputs() {
        List<InputFile> inputs = result.inputs();
        for (int i = 0; i < inputs.size(); i++) {
            InputFile input = inputs.get(i);
            if (i < INPUTS_NAMED || input.incomplete() != null) {
                page.wrap("", input.path(), style::bold);
            }
            if (input.incomplete() != null) {
                page.text("incomplete: " + input.incomplete() + meaning(i), style::warning);
            }
        }
        if (inputs.size() > INPUTS_NAMED) {
            page.text("and " + Numbers.grouped(inputs.size() - INPUTS_NAMED) + " more", style::faint);
        }
    }

    /** The effect on a report of an input that is not whole; events of traces stand in no order. */
    private String meaning(int input) {
        if (!Devices.isRecording(result, input)) {
            return "";
        }
        boolean isTrace = result.devices().stream()
                .anyMatch(device -> device.input() == input && device.coverage().isTrace());
        return "; this report covers the part before that"
                + (isTrace
                        ? ", without the calls and memory events after it"
                        : "; memory allocated later counts as older than the recording");
    }

    private void writeVerdict() {
        Conclusion said = result.spoken();
        if (said != null) {
            page.lines(ConclusionText.lines(result, said, style));
            return;
        }
        page.blank();
        String leaks = result.leaks();
        if (leaks != null) {
            page.wrap("", result.headline(), style::bold);
            page.wrap("", leaks, style::faint);
        } else {
            page.wrap(result.verdict().word() + "   ", result.reason(), VerdictLook.of(result.verdict(), style));
        }
        String host = result.onHost();
        if (host != null) {
            page.wrap("", "That is about device memory. On the host: " + host, style::bold);
        }
    }

    private void writeFindings() {
        List<Finding> told = result.findings().stream()
                .filter(finding -> finding.severity() != Severity.INFO || finding.kind() == Finding.Kind.LEAK)
                .limit(FINDINGS_TOLD)
                .toList();
        List<Finding> listed = new ArrayList<>(result.findings());
        listed.removeAll(told);
        for (Finding finding : told) {
            page.blank();
            page.lines(FindingText.lines(result, finding, options.hasStacks, style));
        }
        list(listed, told.isEmpty() ? "found" : "also found");
    }

    private void list(List<Finding> findings, String title) {
        if (!findings.isEmpty()) {
            page.heading(title);
        }
        findings.stream().limit(FINDINGS_LISTED).forEach(finding -> page.line(FindingText.line(finding, style)));
        if (findings.size() > FINDINGS_LISTED) {
            page.text("and " + Numbers.grouped(findings.size() - FINDINGS_LISTED) + " more; --format json has all");
        }
    }

    /** Prints what looks like a leak but is not, and why. */
    private void writeAcquittals() {
        List<Acquittal> acquittals = result.acquittals();
        if (!acquittals.isEmpty()) {
            page.heading("why it is not a leak");
        }
        acquittals.stream()
                .limit(ACQUITTALS_TOLD)
                .forEach(acquittal -> page.labelled(Labels.words(acquittal.reason()), REASON, acquittal.text()));
        if (acquittals.size() > ACQUITTALS_TOLD) {
            page.text(Numbers.grouped(acquittals.size() - ACQUITTALS_TOLD) + " more", style::faint);
        }
    }

    private void describeInputs() {
        page.heading(result.inputs().size() == 1 ? "input" : "inputs");
        for (InputFile input : result.inputs()) {
            String name = result.inputs().size() == 1 ? "" : input.path() + ": ";
            page.text(name + Labels.file(input));
        }
        if (isEmpty(result)) {
            page.text(NOTHING_HELD);
        }
    }

    /** Returns whether there is nothing but snapshots, and nothing in them. */
    static boolean isEmpty(AnalysisResult result) {
        return result.inputs().stream().anyMatch(input -> input.torch() != null)
                && result.devices().isEmpty()
                && !result.hasFigures()
                && result.logs().isEmpty()
                && result.process().isEmpty();
    }

    private void writeUnchecked() {
        Set<String> notes = new LinkedHashSet<>();
        result.checks().stream()
                .filter(check -> !check.isApplicable())
                .map(TextReport::note)
                .forEach(notes::add);
        if (!notes.isEmpty()) {
            page.heading("not looked at");
        }
        notes.forEach(note -> page.text(note, style::faint));
    }

    private static String note(Check check) {
        return check.detector() + ": " + check.note();
    }
}
