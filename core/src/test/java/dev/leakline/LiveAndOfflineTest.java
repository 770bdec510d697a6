package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.columns.ProcessSample;
import dev.leakline.live.ProcessJudge;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What is judged sample by sample, and what is judged of all samples at once, agree where it is clear. */
class LiveAndOfflineTest {
    private static final int SAMPLES = 2000;
    private static final double SECONDS = 5;
    private static final double GIB = 1L << 30;

    @Test
    void bothFindTheSameLeaks() {
        Random random = new Random(1);
        assertVerdict("LEAK", i -> 8 + 0.004 * i);
        assertVerdict("LEAK", i -> 8 + 0.004 * i + 0.1 * random.nextGaussian());
        assertVerdict("LEAK", i -> 8 + 0.4 * Math.floor(i / 100.0));
        assertVerdict("LEAK", i -> 8 + 0.004 * i + i % 60 / 60.0);
    }

    @Test
    void bothAcquitTheSame() {
        Random random = new Random(2);
        assertVerdict("NO_LEAK", i -> 8);
        assertVerdict("NO_LEAK", i -> 8 + 0.05 * random.nextGaussian());
        assertVerdict("NO_LEAK", i -> 8 + 6 * (1 - Math.exp(-i / 60.0)) + 0.02 * random.nextGaussian());
        assertVerdict("NO_LEAK", i -> 8 + i % 100 / 50.0);
        assertVerdict("NO_LEAK", i -> (i < 800 ? 8 : 11) + 0.02 * random.nextGaussian());
    }

    private static void assertVerdict(String verdict, IntToDoubleFunction gibibytes) {
        ProcessJudge judge = new ProcessJudge();
        Case offline = new Case();
        MemorySeries series =
                offline.measure("samples", new Subject(Source.TELEMETRY, Quantity.ALLOCATED, Axis.STEP, 0, -1, ""));
        for (int i = 0; i < SAMPLES; i++) {
            long bytes = Math.round(gibibytes.applyAsDouble(i) * GIB);
            judge.add(new ProcessSample(i * SECONDS, 1, null, -1, 0, bytes, bytes, bytes, -1, -1, -1, 40L << 30, -1));
            series.add(i, bytes);
        }
        assertThat(judge.now().verdict().name()).as("live").isEqualTo(verdict);
        assertThat(offline.judge(Analysis.Options.ALL).verdict().name())
                .as("offline")
                .isEqualTo(verdict);
    }
}
