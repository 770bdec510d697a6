package dev.leakline;

import dev.leakline.Input.Demand;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.result.AnalysisResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The evidence of one case as it comes: files, figures of a program that runs, the objects of a process. It is judged at any time and as
 * often as wanted, and more may be added afterwards. One thread at a time may use it.
 */
public final class Case {
    /**
     * Measurements that are kept of a live series. Growth is judged in at most 240 windows, by the lowest of each: of these, every window has
     * the lows and highs of five groups at least. So a judgement costs the same after an hour and after a month.
     */
    private static final int MOST_POINTS = 4800;

    private final List<Input> inputs = new ArrayList<>();
    /** The series of each live source, by its name. */
    private final Map<String, List<MemorySeries>> live = new LinkedHashMap<>();

    /** Makes a case without evidence. */
    public Case() {}

    /** Adds a file of any kind that is understood; throws {@link dev.leakline.source.ReadException} where it is none. */
    public void add(Path file) throws IOException {
        add(Input.open(InputSource.of(file), Demand.EVIDENCE));
    }

    /** Adds what was read. */
    public void add(Input input) {
        inputs.add(input);
    }

    /** Adds the objects of a process as they are now; {@code name} stands for the process in reports. */
    public void add(String name, ObjectGraph objects) {
        add(new HolderDump(name, objects));
    }

    /**
     * A series to which measurements may be added for as long as a program runs, in bounded memory.
     *
     * @param name who measures, as reports name it; series of one name belong together
     * @param subject what is measured
     */
    public MemorySeries measure(String name, Subject subject) {
        MemorySeries series = new MemorySeries(subject, MOST_POINTS);
        live.computeIfAbsent(name, this::begin).add(series);
        return series;
    }

    private List<MemorySeries> begin(String name) {
        List<MemorySeries> series = new ArrayList<>();
        add(Measurement.live(name, series));
        return series;
    }

    /** Analyses all evidence so far. */
    public AnalysisResult judge(Analysis.Options options) {
        return Analysis.run(inputs, options);
    }
}
