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
import java.util.OptionalInt;
import java.util.function.IntToLongFunction;

/** Files of figures, made by hand. */
public final class FigureFiles {
    public static final long MB = 1 << 20;
    /** When measurements with times begin: Unix microseconds. */
    public static final double START = 1_790_000_000_000_000.0;

    private static final double SECOND = 1e6;

    private FigureFiles() {}

    /** A file of series. */
    public static Measurement file(String name, MemorySeries... series) {
        return new Measurement(
                name,
                new Content.Figures(
                        new Measurements(List.of(), List.of(series), List.of()), "figures made by hand", 12_345, null));
    }

    /** A figure of device 0, at each step. */
    public static MemorySeries steps(Quantity quantity, int count, IntToLongFunction value) {
        return series(new Subject(Source.MEMORY_STATS, quantity, Axis.STEP, 0, -1, ""), 0, count, value);
    }

    /** A figure that nvidia-smi has of device 0, at each second; the first so many seconds after {@link #START}. */
    public static MemorySeries seconds(Quantity quantity, int first, int count, IntToLongFunction value) {
        return series(new Subject(Source.NVIDIA_SMI, quantity, Axis.TIME, 0, -1, ""), first, count, value);
    }

    /** A figure of anything; places are steps, or seconds after {@link #START}. */
    public static MemorySeries series(Subject subject, int first, int count, IntToLongFunction value) {
        MemorySeries series = new MemorySeries(subject);
        for (int i = 0; i < count; i++) {
            boolean isTime = subject.axis() == Axis.TIME;
            series.add(isTime ? START + (first + i) * SECOND : first + i, value.applyAsLong(i));
        }
        return series;
    }

    /** What an analysis of inputs says. */
    public static AnalysisResult analyse(Input... inputs) {
        return Analysis.run(List.of(inputs), Analysis.Options.ALL);
    }

    /** The same of devices of so much memory. */
    public static AnalysisResult analyse(long deviceBytes, Input... inputs) {
        return Analysis.run(
                List.of(inputs),
                new Analysis.Options(OptionalInt.empty(), Window.ALL, deviceBytes, Analysis.Options.ALL.functions()));
    }
}
