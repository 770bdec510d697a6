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

    /** Ramps that go on, end or ease off, with noise: of so many samples each is judged by both doors, so they say the same where both decide. */
    @Test
    void bothSayTheSameOfShortRuns() {
        int both = 0;
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            double end = 0.3 + random.nextDouble();
            double noise = 0.05 * random.nextDouble();
            int shape = seed % 2;
            IntToDoubleFunction gibibytes = i -> {
                double part = i / 300.0;
                double rise = shape == 0 ? Math.min(part, end) : end * (1 - Math.exp(-2 * part / end));
                return 8 + rise + noise * random.nextGaussian();
            };
            Pair said = said(300, gibibytes);
            if (!said.live.equals("UNDETERMINED") && !said.offline.equals("UNDETERMINED")) {
                both++;
                assertThat(said.live).as("seed %s", seed).isEqualTo(said.offline);
            }
        }
        assertThat(both).isGreaterThan(40);
    }

    private record Pair(String live, String offline) {}

    private static void assertVerdict(String verdict, IntToDoubleFunction gibibytes) {
        assertThat(said(SAMPLES, gibibytes)).isEqualTo(new Pair(verdict, verdict));
    }

    private static Pair said(int samples, IntToDoubleFunction gibibytes) {
        ProcessJudge judge = new ProcessJudge();
        Case offline = new Case();
        MemorySeries series =
                offline.measure("samples", new Subject(Source.TELEMETRY, Quantity.ALLOCATED, Axis.STEP, 0, -1, ""));
        for (int i = 0; i < samples; i++) {
            long bytes = Math.round(gibibytes.applyAsDouble(i) * GIB);
            judge.add(new ProcessSample(i * SECONDS, 1, null, -1, 0, bytes, bytes, bytes, -1, -1, -1, 40L << 30, -1));
            series.add(i, bytes);
        }
        return new Pair(
                judge.last().verdict().name(),
                offline.judge(Analysis.Options.ALL).verdict().name());
    }
}
