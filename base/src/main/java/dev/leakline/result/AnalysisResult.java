package dev.leakline.result;

import dev.leakline.result.Finding.Advice;
import io.avaje.jsonb.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an analysis, as plain data.
 *
 * @param schema {@link #SCHEMA}
 * @param tool what found it
 * @param inputs the files it was found in
 * @param spokenBy the evidence that the verdict rests on; null in results of versions that did not say so
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
 * @param process the processes of the job, as they were seen from inside while they ran
 */
public record AnalysisResult(
        String schema,
        Tool tool,
        List<InputFile> inputs,
        @Nullable Source spokenBy,
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
        List<JobProcess> process) {
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
                Source.RECORDING,
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
        /** The evidence cannot answer. */
        UNDETERMINED;

        /** The verdict as JSON and texts have it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Kinds of evidence that a verdict rests on. */
    public enum Source {
        /** Snapshots and traces. */
        RECORDING,
        /** Calls of profiled functions. */
        FUNCTIONS,
        /** Figures over time. */
        FIGURES,
        /** Messages about memory that ran out. */
        MESSAGES,
        /** All that texts say together. */
        TEXTS,
        /** Holder dumps. */
        DUMPS
    }

    /** The answer in a sentence: what is wrong and why; where nothing is, what fills the peak as well; where leaks are undetermined, that alone. */
    @Json.Property("headline")
    public String headline() {
        Peak peak = peakToTell();
        if (peak == null) {
            return reason;
        }
        String lever = leversOfPeak().stream()
                .findFirst()
                .map(each -> "; " + each.sentence())
                .orElse("");
        return verdict == Verdict.NO_LEAK ? "no leak" + ofDevice() + "; " + peak.sentence() : peak.sentence() + lever;
    }

    /** Names the device's memory where the host's memory is judged as well. */
    private String ofDevice() {
        return worstOnHost() == null ? "" : " of device memory";
    }

    /** The course of the host's memory of the process that is worst off, in a sentence; null where none was looked at. */
    public @Nullable String onHost() {
        JobProcess worst = worstOnHost();
        return worst == null || worst.host() == null
                ? null
                : "process " + worst.pid() + ": " + worst.host().sentence();
    }

    /** The process whose host memory is worst off; null where none was looked at. */
    public @Nullable JobProcess worstOnHost() {
        return processesByHost().stream().findFirst().orElse(null);
    }

    /** Returns whether memory of the host leaks, of which the verdict says nothing. */
    public boolean leaksOnHost() {
        JobProcess worst = worstOnHost();
        return worst != null && worst.hostMemory().verdict() == HostMemory.Verdict.LEAK;
    }

    /** The processes whose memory on the host was looked at, those whose memory leaks first. */
    public List<JobProcess> processesByHost() {
        return process.stream()
                .filter(each -> each.host() != null)
                .sorted(Comparator.comparing(
                                (JobProcess each) -> each.hostMemory().verdict())
                        .thenComparingLong(each -> -each.hostMemory().bytes()))
                .toList();
    }

    /** The reason why leaks are undetermined where the headline is only about the peak, in a sentence; else null. */
    @Json.Property("leaks")
    public @Nullable String leaks() {
        return verdict == Verdict.UNDETERMINED && peakToTell() != null
                ? "Whether it leaks is undetermined: " + reason + "."
                : null;
    }

    /** The peak where nothing is known to be wrong, so that it is what there is to tell; else null. */
    private @Nullable Peak peakToTell() {
        boolean isOpen = verdict == Verdict.UNDETERMINED || verdict == Verdict.NO_LEAK;
        boolean isCut =
                inputs.stream().anyMatch(input -> input.incomplete() != null); // then nobody knows what blocks were for
        Peak peak = isOpen && !isCut && spokenBy != Source.TEXTS ? highestPeak() : null;
        return peak == null || peak.bytes() == 0 ? null : peak;
    }

    /** The conclusion from texts where the verdict rests on it; else null. */
    public @Nullable Conclusion spoken() {
        return spokenBy == Source.TEXTS ? conclusion : null;
    }

    /** A copy with other findings. */
    public AnalysisResult withFindings(List<Finding> others) {
        return with(reason, others, devices, functions, process);
    }

    /** A copy with another reason. */
    public AnalysisResult withReason(String other) {
        return with(other, findings, devices, functions, process);
    }

    /** A copy with other processes. */
    public AnalysisResult withProcesses(List<JobProcess> processes) {
        return with(reason, findings, devices, functions, processes);
    }

    /** A copy with what function profiles say. */
    public AnalysisResult withFunctions(FunctionReport report) {
        return with(reason, findings, devices, report, process);
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
        return with(reason, findings, shown, functions, process);
    }

    private AnalysisResult with(
            String otherReason,
            List<Finding> otherFindings,
            List<DeviceResult> otherDevices,
            @Nullable FunctionReport otherFunctions,
            List<JobProcess> processes) {
        return new AnalysisResult(
                schema,
                tool,
                inputs,
                spokenBy,
                verdict,
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
                processes);
    }

    /** The next steps, the best first: the conclusion's where texts decide or nothing else advises, else those of the first finding. */
    @Json.Property("advice")
    public List<Advice> advice() {
        boolean isOfTexts = spokenBy == Source.TEXTS || spokenBy == Source.MESSAGES;
        if (conclusion == null || (!isOfTexts && !findings.isEmpty())) {
            return findings.isEmpty() ? List.of() : findings.getFirst().advice();
        }
        return isOfTexts || conclusion.verdict() != Conclusion.Kind.UNDETERMINED ? conclusion.advice() : List.of();
    }

    /** The version of the program that found it. */
    public String toolVersion() {
        return tool.version();
    }

    /** Returns whether figures or profiles of functions are among the inputs. */
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

    /** Changes that would lower the highest peak. */
    @Json.Property("levers")
    public List<Lever> leversOfPeak() {
        DeviceResult worst = worst();
        return worst == null ? List.of() : worst.levers();
    }

    /** Returns whether the program with the highest peak fits into its device. */
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

    /** Returns whether a request failed for good, by a recording or by a message. */
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
