package dev.leakline.result;

import dev.leakline.result.Finding.Advice;
import dev.leakline.result.HostMemory.OfProcess;
import io.avaje.jsonb.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an analysis, as plain data.
 *
 * @param schema {@link #SCHEMA}
 * @param tool what found it
 * @param inputs the files it was found in
 * @param verdict one word: what is wrong, if anything; see the README
 * @param reason why, in a sentence
 * @param findings what is wrong, most serious first
 * @param acquittals what looks like a leak but is not, largest first
 * @param checks what each detector could and could not look at
 * @param dumps what holder dumps of the same processes say beside the findings, process by process
 * @param devices what each device held, input by input, in order of their numbers
 * @param settings the allocator's settings at the time of the first snapshot that has any
 * @param series each figure that was measured over time or steps
 * @param gaps what devices' figures say more than the allocator's
 * @param agreements whether sources that measured the same say the same
 * @param functions what function profiles say, null where there are none
 * @param logs the texts in which messages about memory that ran out were looked for
 * @param messages their messages, explained, in the order of logs and lines
 * @param conclusion what all texts say together; null where no text is among the inputs
 * @param process the memory of the processes that were looked at while they ran
 */
public record AnalysisResult(
        String schema,
        Tool tool,
        List<InputFile> inputs,
        Verdict verdict,
        String reason,
        List<Finding> findings,
        List<Acquittal> acquittals,
        List<Check> checks,
        List<JoinedDump> dumps,
        List<DeviceResult> devices,
        Map<String, Object> settings,
        List<MeasuredSeries> series,
        List<MemoryGap> gaps,
        List<Agreement> agreements,
        @Nullable FunctionReport functions,
        List<OutOfMemoryLog> logs,
        List<OutOfMemoryExplanation> messages,
        @Nullable Conclusion conclusion,
        List<OfProcess> process) {
    /** The schema of a result as JSON. */
    public static final String SCHEMA = "leakline.report/1";

    /** A result from recordings alone. */
    public AnalysisResult(
            String toolVersion,
            List<InputFile> inputs,
            Verdict verdict,
            String reason,
            List<Finding> findings,
            List<Acquittal> acquittals,
            List<Check> checks,
            List<DeviceResult> devices,
            Map<String, Object> settings) {
        this(
                SCHEMA,
                Tool.leakline(toolVersion),
                inputs,
                verdict,
                reason,
                findings,
                acquittals,
                checks,
                List.of(),
                devices,
                settings,
                List.of(),
                List.of(),
                List.of(),
                null,
                List.of(),
                List.of(),
                null,
                List.of());
    }

    /** The overall verdict of an analysis. */
    public enum Verdict {
        /** Bytes allocated under one line of the user's code stay, step after step, without a ceiling. */
        LEAK,
        /** Blocks pile up until the garbage collector frees many at once. */
        REFERENCE_CYCLE,
        /** A request failed although enough memory was free, in pieces. */
        OOM_FRAGMENTATION,
        /** A request failed because not enough memory was free. */
        OOM,
        /** Nothing leaks; the reason says why what was seen is not a leak. */
        NO_LEAK,
        /** The recordings cannot answer. */
        UNDETERMINED;

        private String words() {
            return switch (this) {
                case LEAK -> "Leak";
                case REFERENCE_CYCLE -> "Reference cycle";
                case OOM_FRAGMENTATION -> "Out of memory: fragmentation";
                case OOM -> "Out of memory";
                case NO_LEAK -> "No leak";
                case UNDETERMINED -> "Undetermined";
            };
        }
    }

    /** What the evidence answers, in a sentence: what texts say where they answer; what is wrong; where nothing is, what fills the peak as well; where leaks are undetermined, that alone. */
    @Json.Property("headline")
    public String headline() {
        Conclusion said = saidByTexts();
        if (said != null) {
            return said.sentence();
        }
        Peak peak = highestPeak();
        boolean answersPeak = verdict == Verdict.UNDETERMINED || verdict == Verdict.NO_LEAK;
        if (!answersPeak || peak == null || peak.bytes() == 0) {
            return words();
        }
        String lever = leversOfPeak().stream()
                .findFirst()
                .map(each -> "; " + each.sentence())
                .orElse("");
        return verdict == Verdict.NO_LEAK ? words() + "; " + peak.sentence() : peak.sentence() + lever;
    }

    /** The verdict in words; where the host's memory is judged as well, with what it is about. */
    private String words() {
        boolean isOfLeaks = verdict == Verdict.NO_LEAK || verdict == Verdict.LEAK;
        return verdict.words() + (process.isEmpty() || !isOfLeaks ? "" : " of device memory");
    }

    /** What became of the host's memory of the process that is worst off, in a sentence; null where none was looked at. */
    public @Nullable String onHost() {
        return process.stream()
                .min(Comparator.comparing((OfProcess each) -> each.host().verdict())
                        .thenComparingLong(each -> -each.host().bytes()))
                .map(each -> "process " + each.pid() + ": " + each.host().sentence())
                .orElse(null);
    }

    /** What is said of leaks where the headline is about the peak alone: why they are undetermined, in a sentence; else null. */
    @Json.Property("leaks")
    public @Nullable String leaks() {
        boolean isAboutPeak = verdict == Verdict.UNDETERMINED
                && saidByTexts() == null
                && !headline().equals(words());
        return isAboutPeak ? "Whether it leaks is undetermined: " + reason + "." : null;
    }

    /** A copy with other findings. */
    public AnalysisResult withFindings(List<Finding> others) {
        return with(verdict, reason, others, devices, functions);
    }

    /** A copy with another reason. */
    public AnalysisResult withReason(String other) {
        return with(verdict, other, findings, devices, functions);
    }

    /** A copy with the memory of processes. */
    public AnalysisResult withProcesses(List<OfProcess> processes) {
        return new AnalysisResult(
                schema,
                tool,
                inputs,
                verdict,
                reason,
                findings,
                acquittals,
                checks,
                dumps,
                devices,
                settings,
                series,
                gaps,
                agreements,
                functions,
                logs,
                messages,
                conclusion,
                processes);
    }

    /** A copy with what function profiles say. */
    public AnalysisResult withFunctions(FunctionReport report) {
        return with(verdict, reason, findings, devices, report);
    }

    /**
     * A copy with no more than is to be shown.
     *
     * @param top sites of a peak, at most
     * @param hasStacks whether each site comes with its stacks
     */
    public AnalysisResult shown(int top, boolean hasStacks) {
        List<DeviceResult> shown =
                devices.stream().map(device -> device.shown(top, hasStacks)).toList();
        return with(verdict, reason, findings, shown, functions);
    }

    private AnalysisResult with(
            Verdict otherVerdict,
            String otherReason,
            List<Finding> otherFindings,
            List<DeviceResult> otherDevices,
            @Nullable FunctionReport otherFunctions) {
        return new AnalysisResult(
                schema,
                tool,
                inputs,
                otherVerdict,
                otherReason,
                otherFindings,
                acquittals,
                checks,
                dumps,
                otherDevices,
                settings,
                series,
                gaps,
                agreements,
                otherFunctions,
                logs,
                messages,
                conclusion,
                process);
    }

    /** What to do next, the best first: what the conclusion advises, else the first finding. */
    @Json.Property("advice")
    public List<Advice> advice() {
        return conclusion != null
                ? conclusion.advice()
                : findings.isEmpty() ? List.of() : findings.getFirst().advice();
    }

    /**
     * The conclusion from texts where it answers what figures and messages leave undetermined or tell otherwise by themselves, and no recording is
     * there; else null.
     */
    public @Nullable Conclusion saidByTexts() {
        Conclusion said = ofTextsAlone();
        return said != null && (isReason(said) || answers(said)) ? said : null;
    }

    /** Whether the reason is what texts say, and not what a figure or their first failure says by itself. */
    private boolean isReason(Conclusion said) {
        return reason.equals(said.sentence())
                && series.stream().noneMatch(figure -> reason.equals(figure.name() + " " + figure.reason()))
                && messages.stream()
                        .filter(message -> message.kind() != OutOfMemoryExplanation.Kind.RECOVERED)
                        .limit(1)
                        .noneMatch(first -> first.title().equals(reason));
    }

    /** The result with the verdict and the reason of what texts say, where that answers. */
    public AnalysisResult concluded() {
        Conclusion said = saidByTexts();
        return said == null ? this : with(said.judged(), said.sentence(), findings, devices, functions);
    }

    private boolean answers(Conclusion said) {
        return verdict == Verdict.UNDETERMINED
                ? series.isEmpty() || !said.verdict().equals(Conclusion.UNDETERMINED)
                : isOtherwise(said);
    }

    /** What the conclusion from texts advises before what the first finding or message says by itself, where they agree. */
    public List<Finding.Advice> advisedByTexts() {
        Conclusion said = saidByTexts() == null ? ofTextsAlone() : null;
        List<Finding.Advice> told = !findings.isEmpty()
                ? findings.getFirst().advice()
                : messages.isEmpty() ? List.of() : messages.getFirst().advice();
        boolean isOpen = verdict == Verdict.UNDETERMINED || verdict == Verdict.NO_LEAK;
        return said == null || isOpen
                ? List.of()
                : said.advice().stream().takeWhile(step -> !told.contains(step)).toList();
    }

    private @Nullable Conclusion ofTextsAlone() {
        return devices.isEmpty() && functions == null ? conclusion : null;
    }

    /** Whether texts tell of growth where figures and messages tell of none, or the other way round; or of another failure, or none. */
    private boolean isOtherwise(Conclusion said) {
        Verdict told = said.judged();
        return switch (verdict) {
            case OOM, OOM_FRAGMENTATION -> told != verdict;
            case LEAK, REFERENCE_CYCLE -> told == Verdict.NO_LEAK;
            case NO_LEAK -> told == Verdict.LEAK;
            case UNDETERMINED -> false;
        };
    }

    /** The version of the program that found it. */
    public String toolVersion() {
        return tool.version();
    }

    /** Whether figures or profiles of functions are among the inputs. */
    public boolean hasFigures() {
        return !series.isEmpty() || functions != null;
    }

    /** The device to speak of first: that of the first finding, else the one with the highest peak. */
    public @Nullable DeviceResult first() {
        DeviceResult device = findings.isEmpty() ? null : deviceOf(findings.getFirst());
        return device == null ? worst() : device;
    }

    /** The device that a finding was made on; null where the result does not hold it. */
    public @Nullable DeviceResult deviceOf(Finding finding) {
        return devices.stream()
                .filter(device -> device.input() == finding.input() && device.device() == finding.device())
                .findFirst()
                .orElse(null);
    }

    /** The highest peak of any device, once more where readers look first. */
    @Json.Property("peak")
    public @Nullable Peak highestPeak() {
        DeviceResult worst = worst();
        return worst == null ? null : worst.peak().withoutCalls();
    }

    /** What would lower the highest peak. */
    @Json.Property("levers")
    public List<Lever> leversOfPeak() {
        DeviceResult worst = worst();
        return worst == null ? List.of() : worst.levers();
    }

    /** Whether the program with the highest peak fits into its device. */
    @Json.Property("fit")
    public @Nullable Fit fitOfPeak() {
        DeviceResult worst = worst();
        return worst == null ? null : worst.fit();
    }

    /** The steps of the device to speak of first. */
    @Json.Property("steps")
    public StepSummary firstSteps() {
        DeviceResult first = first();
        return first == null ? StepSummary.NONE : first.steps();
    }

    /** The coverage of the device with the highest peak. */
    @Json.Property("coverage")
    public @Nullable Coverage coverageOfPeak() {
        DeviceResult worst = worst();
        return worst == null ? null : worst.coverage();
    }

    /** Whether a request failed for good, by a recording or by a message. */
    public boolean hasFailedRequests() {
        return devices.stream().anyMatch(device -> !device.outOfMemory().isEmpty())
                || messages.stream().anyMatch(message -> message.kind() != OutOfMemoryExplanation.Kind.RECOVERED);
    }

    /** The device whose peak is the highest; null where no device held anything. The host's memory is not a device's. */
    public @Nullable DeviceResult worst() {
        DeviceResult worst = null;
        for (DeviceResult device : devices) {
            if (device.device() >= 0
                    && (worst == null || device.peak().bytes() > worst.peak().bytes())) {
                worst = device;
            }
        }
        return worst;
    }
}
