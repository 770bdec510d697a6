package dev.leakline.live;

import dev.leakline.columns.ProcessSample;
import dev.leakline.result.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Samples of one process, made by a rule, and what a judge says of them. */
final class Simulated {
    static final double GIB = 1L << 30;
    static final long PID = 42;
    private static final long UNKNOWN = ProcessSample.UNKNOWN;

    private Simulated() {}

    /** A figure over time. */
    interface Figure {
        /** Gibibytes at a sample. */
        double at(int sample);
    }

    /** Samples of what is used of a device of 40 GiB, each some seconds after the one before. */
    static List<ProcessSample> used(int count, double seconds, Figure figure) {
        List<ProcessSample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            samples.add(device(1000 + i * seconds, UNKNOWN, UNKNOWN, bytes(figure.at(i))));
        }
        return samples;
    }

    static ProcessSample device(double t, long allocated, long reserved, long used) {
        return new ProcessSample(
                t, PID, "python", UNKNOWN, 0, used, reserved, allocated, UNKNOWN, UNKNOWN, UNKNOWN, bytes(40), UNKNOWN);
    }

    static ProcessSample host(double t, long rss, long children) {
        return new ProcessSample(
                t, PID, null, UNKNOWN, -1, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, rss, children, UNKNOWN, bytes(64));
    }

    static long bytes(double gibibytes) {
        return Math.round(gibibytes * GIB);
    }

    /** Noise of some GiB around 0. */
    static Figure noise(long seed, double deviation) {
        Random random = new Random(seed);
        return _ -> deviation * random.nextGaussian();
    }

    static List<WatchEvent> events(List<ProcessSample> samples) {
        ProcessJudge judge = new ProcessJudge();
        List<WatchEvent> events = new ArrayList<>();
        samples.forEach(sample -> events.addAll(judge.add(sample)));
        events.add(judge.last());
        return events;
    }

    static WatchEvent last(List<ProcessSample> samples) {
        return events(samples).getLast();
    }

    static long alerts(List<ProcessSample> samples) {
        List<WatchEvent> events = events(samples);
        return events.subList(0, events.size() - 1).stream()
                .filter(event -> event.state() == WatchEvent.State.FIRING)
                .count();
    }
}
