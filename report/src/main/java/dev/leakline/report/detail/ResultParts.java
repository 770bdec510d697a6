package dev.leakline.report.detail;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Detail;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.Line;
import dev.leakline.result.Peak;
import dev.leakline.result.StepSummary;
import dev.leakline.result.WhatIf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Parts of a result, whether it was just made or read from a report. */
public final class ResultParts {
    /** The parts by their names; any other name is that of a finding. */
    static final List<String> NAMES = List.of("peak", "holders", "steps", "ruled-out", "unknown");

    private final AnalysisResult result;

    /** The parts of a result. */
    public ResultParts(AnalysisResult result) {
        this.result = result;
    }

    /** A part by its name; throws {@link IllegalArgumentException} where there is none of it. */
    public Detail of(String part) {
        return switch (part) {
            case "peak" -> peak();
            case "holders" -> holders();
            case "steps" -> steps();
            case "ruled-out" ->
                Detail.of(
                        part,
                        "growth that was ruled out as a leak",
                        result.acquittals().stream()
                                .map(each ->
                                        row("reason", word(each.reason()), "bytes", each.bytes(), "text", each.text()))
                                .toList());
            case "unknown" ->
                Detail.of(
                        part,
                        "what was not looked at, and why",
                        result.checks().stream()
                                .filter(check -> !check.isApplicable())
                                .map(check -> row("check", check.detector(), "text", check.note()))
                                .toList());
            default -> finding(part);
        };
    }

    /** Replays of the recording under other settings of the allocator. */
    public static Detail whatIf(WhatIf replays) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (WhatIf.Device device : replays.devices()) {
            rows.add(trial(device, device.recorded(), "as recorded"));
            device.others().forEach(trial -> rows.add(trial(device, trial, trial.settings())));
        }
        String sentence = replays.devices().stream()
                .map(WhatIf.Device::reason)
                .findFirst()
                .orElse("no device was recorded");
        return Detail.of("what-if", sentence, rows);
    }

    private static Map<String, @Nullable Object> trial(WhatIf.Device device, WhatIf.Trial trial, String settings) {
        return row(
                "device",
                device.device(),
                "settings",
                settings.isEmpty() ? "defaults" : settings,
                "peak_reserved_bytes",
                trial.peakReservedBytes(),
                "fails",
                trial.failure() != null);
    }

    private Detail peak() {
        Peak peak = result.highestPeak();
        if (peak == null) {
            throw new IllegalArgumentException("no device was recorded, so there is no peak");
        }
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        peak.bySite().forEach(use -> rows.add(row("bytes", use.bytes(), "blocks", use.blocks(), "line", use.label())));
        return Detail.of("peak", peak.sentence(), rows);
    }

    private Detail holders() {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (Finding finding : result.findings()) {
            for (FindingHolder holder : finding.holders()) {
                rows.add(holder(
                        finding.id(), holder.findingBytes(), holder.findingBlocks(), holder.title(), holder.way()));
            }
        }
        for (JoinedDump dump : result.dumps()) {
            for (JoinedDump.Held held : dump.rest()) {
                rows.add(holder("", held.bytes(), held.blocks(), held.title(), held.reason()));
            }
        }
        return Detail.of("holders", "who keeps memory, by holder dumps: of findings, then of the rest", rows);
    }

    private static Map<String, @Nullable Object> holder(
            String finding, long bytes, int blocks, String owner, String path) {
        return row("bytes", bytes, "blocks", blocks, "owner", owner, "finding", finding, "path", path);
    }

    private Detail steps() {
        StepSummary steps = result.firstSteps();
        List<Map<String, @Nullable Object>> rows = steps.phases().stream()
                .map(phase -> row("first", phase.firstStep(), "last", phase.lastStep(), "does", phase.name()))
                .toList();
        return Detail.of("steps", String.join(" ", steps.sentences()), rows);
    }

    private Detail finding(String id) {
        Finding finding = result.findings().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no part '" + id + "': expected "
                        + String.join(", ", NAMES) + ", " + String.join(", ", RecordingParts.NAMES) + ", or a finding: "
                        + result.findings().stream().map(Finding::id).toList()));
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        finding.advice().forEach(advice -> advise(advice, rows));
        if (finding.keptAt() != null) {
            rows.add(say("kept at", finding.keptAt().words()));
        }
        finding.lines().forEach(line -> rows.add(say(line)));
        finding.holders().forEach(holder -> holder.lines().forEach(line -> rows.add(say(line))));
        if (finding.explanation() != null) {
            rows.add(say("because", finding.explanation().text()));
        }
        finding.evidence().forEach(proof -> rows.add(say("seen", proof.text())));
        finding.confidenceReasons().forEach(reason -> rows.add(say("sure", reason)));
        finding.stack()
                .forEach(frame -> rows.add(say("stack", frame.file() + ":" + frame.line() + " " + frame.function())));
        return Detail.of(id, finding.title() + ", at " + finding.site().label() + ". " + finding.summary(), rows);
    }

    private static void advise(Advice advice, List<Map<String, @Nullable Object>> rows) {
        rows.add(say("do", advice.action() + " " + advice.why()));
        if (advice.patch() == null && !advice.after().isEmpty()) {
            rows.add(say("example", advice.before() + "\nbecomes\n" + advice.after()));
        }
        if (advice.patch() != null) {
            rows.add(say("patch, " + word(Objects.requireNonNull(advice.patchSafety())), advice.patch()));
        }
    }

    private static Map<String, @Nullable Object> say(Line line) {
        return say(line.label(), line.text());
    }

    private static Map<String, @Nullable Object> say(String what, String text) {
        return row("what", what, "text", text);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Values by their names, in order. */
    static Map<String, @Nullable Object> row(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            row.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return row;
    }
}
