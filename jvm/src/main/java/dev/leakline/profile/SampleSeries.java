package dev.leakline.profile;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Samples over time in bounded room. When it is full, each two neighbours become one, and from then on twice as many readings go into
 * one sample: it covers all the time there was, at a resolution of at least a half of what fits. No peak is lost, since a sample is the
 * most of its readings.
 */
final class SampleSeries {
    private final int most;
    private List<MemorySample> samples = new ArrayList<>();
    private long readingsEach = 1;
    private @Nullable MemorySample unfinished;

    /**
     * An empty series.
     *
     * @param most how many samples there is room for, even
     */
    SampleSeries(int most) {
        this.most = most;
    }

    synchronized void add(MemorySample reading) {
        MemorySample sample = unfinished == null ? reading : unfinished.and(reading);
        boolean isFinished = sample.readings() >= readingsEach;
        unfinished = isFinished ? null : sample;
        if (isFinished) {
            samples.add(sample);
            halve();
        }
    }

    private void halve() {
        if (samples.size() < most) {
            return;
        }
        List<MemorySample> halved = new ArrayList<>();
        for (int i = 0; i + 1 < samples.size(); i += 2) {
            halved.add(samples.get(i).and(samples.get(i + 1)));
        }
        samples = halved;
        readingsEach *= 2;
    }

    /** All samples, the unfinished one included. */
    synchronized List<MemorySample> samples() {
        List<MemorySample> all = new ArrayList<>(samples);
        if (unfinished != null) {
            all.add(unfinished);
        }
        return List.copyOf(all);
    }
}
