package dev.leakline.live;

import dev.leakline.columns.ProcessSample;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.finding.GrowthSeverity;
import dev.leakline.finding.Opinion;
import dev.leakline.finding.Order;
import dev.leakline.known.AllocatorAdvice;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.AnalysisResult.Source;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.Resource;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The opinion of a watch at the end of the samples that it recorded: by the same judge, so in the same words. */
public final class WatchOpinion {
    private static final double HOUR = 3600;
    /** It is the one figure that there is, and a cache that fills steadily looks the same until it stops. */
    private static final double CONFIDENCE = 0.8;

    private WatchOpinion() {}

    /** A sample, with the number of the input that it is from. */
    public record Recorded(int input, ProcessSample sample) {}

    /** A process: its number may have been another's before. */
    private record Numbered(long pid, long started) {}

    private record Judged(int input, WatchEvent event) {}

    /** The opinion of samples of any files, whose clock is the same. */
    public static Opinion of(List<Recorded> samples) {
        List<Judged> processes = judge(samples);
        List<Finding> findings = new ArrayList<>();
        for (Judged process : processes) {
            if (process.event.state() == WatchEvent.State.FIRING) {
                findings.add(finding(process));
            }
        }
        List<Finding> ordered = Order.of(findings, List.of());
        boolean isSeen = processes.stream().anyMatch(one -> one.event.verdict() == WatchEvent.Verdict.NO_LEAK);
        boolean isOpen = processes.stream().anyMatch(one -> one.event.verdict() == WatchEvent.Verdict.UNDETERMINED);
        Verdict found = Order.verdict(ordered);
        Verdict verdict = found != null ? found : isSeen && !isOpen ? Verdict.NO_LEAK : Verdict.UNDETERMINED;
        Check check = new Check(
                "samples",
                true,
                "looked at " + Numbers.counted(samples.size(), "sample") + " of " + Numbers.grouped(processes.size())
                        + (processes.size() == 1 ? " process" : " processes"));
        return new Opinion(Source.FIGURES, verdict, reason(processes, verdict), ordered, List.of(), List.of(check));
    }

    /** Files of one process are segments of one recording: what was taken first comes first, jumps of the clock within a file stay. */
    private static List<Judged> judge(List<Recorded> samples) {
        Map<Numbered, ProcessJudge> judges = new LinkedHashMap<>();
        Map<Numbered, Integer> inputs = new LinkedHashMap<>();
        for (Recorded one : samples) {
            Numbered process = new Numbered(one.sample.pid(), one.sample.started());
            judges.computeIfAbsent(process, _ -> new ProcessJudge()).add(one.sample);
            inputs.putIfAbsent(process, one.input);
        }
        List<Judged> judged = new ArrayList<>();
        judges.forEach((process, judge) -> judged.add(new Judged(inputs.getOrDefault(process, 0), judge.last())));
        return judged;
    }

    private static String reason(List<Judged> processes, Verdict verdict) {
        return processes.stream()
                .map(Judged::event)
                .max(Comparator.comparing((WatchEvent event) -> event.state() == WatchEvent.State.FIRING)
                        .thenComparing(event ->
                                event.verdict() == WatchEvent.Verdict.UNDETERMINED && verdict == Verdict.UNDETERMINED)
                        .thenComparing(event -> event.state() == WatchEvent.State.GROWING))
                .map(event -> event.who() + ": " + event.reason())
                .orElse("");
    }

    private static Finding finding(Judged process) {
        WatchEvent event = process.event;
        boolean isHost = event.resource() == Resource.HOST;
        Kind kind = event.verdict() == WatchEvent.Verdict.FRAGMENTATION ? Kind.FRAGMENTATION : Kind.LEAK;
        double perSecond = event.bytesPerHour() / HOUR;
        double untilFull = event.fullAt() == null ? Double.NaN : event.fullAt().estimate() - event.t();
        long grown = Math.round(perSecond * (event.t() - event.since()));
        long room = Double.isNaN(untilFull) ? 0 : Math.max(Math.round(untilFull * perSecond), 1);
        Frame figure = new Frame("", 0, isHost ? "host memory" : "GPU memory");
        return new FindingBuilder(kind, Fingerprint.of(kind, List.of(figure)))
                .severity(GrowthSeverity.of(Double.NaN, perSecond, room))
                .confidence(CONFIDENCE, List.of("judged from samples alone, as leakline watch does"))
                .title(event.who() + ": " + event.growth())
                .summary(event.line())
                .on(process.input, (int) event.device())
                .site(new Site(Site.Kind.FIGURE, figure))
                .held(grown, 0)
                .rates(Double.NaN, perSecond, Double.NaN, untilFull)
                .advice(advice(kind, isHost, event.pid(), grown))
                .build();
    }

    private static List<Advice> advice(Kind kind, boolean isHost, long pid, long grown) {
        Advice attach = Advice.of(
                "While it runs: leakline attach " + pid + " --record 60; or start the job with leakline run",
                "Samples name no line; a minute of its allocations and a dump of who holds them do.",
                0);
        return kind == Kind.FRAGMENTATION
                ? List.of(AllocatorAdvice.expandable(grown), attach)
                : List.of(isHost ? RecordingAdvice.HOST : attach);
    }
}
