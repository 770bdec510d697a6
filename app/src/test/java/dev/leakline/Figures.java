package dev.leakline;

import dev.leakline.columns.Measurements;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.AnalysisResult;
import dev.leakline.source.Content;
import java.util.List;
import java.util.function.IntToLongFunction;

/** Jobs of which nobody recorded a snapshot, only figures. */
public final class Figures {
    private static final long MB = 1 << 20;
    private static final double START = 1_790_000_000_000_000.0;

    private Figures() {}

    /** A job that leaks a little and whose device holds more than PyTorch knows of, by three sources. */
    public static AnalysisResult result() {
        Measurement log = file(
                "logs/train.log",
                series(Source.LOG, Quantity.ALLOCATED, Axis.STEP, "loss line", 400, Figures::allocated),
                series(Source.LOG, Quantity.RETRIES, Axis.STEP, "", 400, step -> step / 300));
        Measurement stats = file(
                "job.telemetry.json",
                series(Source.TELEMETRY, Quantity.ALLOCATED, Axis.TIME, "", 400, Figures::allocated),
                series(Source.TELEMETRY, Quantity.RESERVED, Axis.TIME, "", 400, Figures::reserved));
        Measurement smi = file(
                "smi.csv",
                series(
                        Source.NVIDIA_SMI,
                        Quantity.DEVICE_USED,
                        Axis.TIME,
                        "",
                        400,
                        step -> reserved(step) + 523 * MB + (step < 150 ? 0 : 653 * MB)),
                series(Source.NVIDIA_SMI, Quantity.DEVICE_TOTAL, Axis.TIME, "", 400, _ -> 24_576 * MB));
        return Analysis.run(List.of(log, stats, smi), Analysis.Options.ALL);
    }

    /** Names that would be script, and a name that no screen can hold. */
    public static AnalysisResult hostile() {
        String script = "</script><script>alert(1)</script>";
        return Analysis.run(
                List.of(file(
                        script + ".log",
                        series(Source.LOG, Quantity.ALLOCATED, Axis.EPOCH, script, 40, Figures::allocated),
                        series(Source.LOG, Quantity.RESERVED, Axis.INDEX, "x".repeat(9_000), 40, Figures::reserved))),
                Analysis.Options.ALL);
    }

    private static long allocated(int step) {
        return (2_000 + 3L * step + step % 7 * 100L) * MB;
    }

    private static long reserved(int step) {
        return (3_000 + 3L * step) / 20 * 20 * MB;
    }

    private static MemorySeries series(
            Source source, Quantity quantity, Axis axis, String label, int count, IntToLongFunction value) {
        MemorySeries series = new MemorySeries(new Subject(source, quantity, axis, 0, -1, label));
        for (int i = 0; i < count; i++) {
            series.add(axis == Axis.TIME ? START + i * 1e6 : i, value.applyAsLong(i));
        }
        return series;
    }

    private static Measurement file(String name, MemorySeries... series) {
        return new Measurement(
                name,
                new Content.Figures(
                        new Measurements(List.of(), List.of(series), List.of()), "figures made by hand", 12_345, null));
    }
}
