package dev.leakline.watch;

import dev.leakline.columns.ProcessSample;
import dev.leakline.read.samples.SampleLines;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Forty minutes of a machine with two GPUs: a job that leaks, a server that breathes, a job on both GPUs, a cache that fills, a job that ends. */
public final class WatchSamples {
    private static final double START = 1_790_000_000;
    private static final int MOMENTS = 240;
    private static final int SECONDS = 10;
    private static final int LAST_OF_NIGHTLY = 150;
    private static final long UNKNOWN = ProcessSample.UNKNOWN;

    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(7);

    private WatchSamples() {}

    /** The samples, moment by moment. */
    public static List<List<ProcessSample>> moments() {
        WatchSamples samples = new WatchSamples();
        List<List<ProcessSample>> moments = new ArrayList<>();
        for (int i = 0; i < MOMENTS; i++) {
            moments.add(samples.moment(i));
        }
        return moments;
    }

    private List<ProcessSample> moment(int i) {
        double t = START + SECONDS * i;
        List<ProcessSample> moment = new ArrayList<>();
        long leaked = mib(4096 + i * 48L + random.nextInt(200));
        moment.add(sample(t, 4242, "train.py", 0, leaked, leaked - mib(300), leaked - mib(900), mib(2048)));
        moment.add(sample(t, 777, "serve", 1, mib(9216 + i % 6 * 64L), UNKNOWN, UNKNOWN, mib(3072)));
        moment.add(sample(t, 1313, "eval", 0, mib(2048), UNKNOWN, UNKNOWN, mib(1024)));
        moment.add(sample(t, 1313, "eval", 1, mib(1536), UNKNOWN, UNKNOWN, UNKNOWN));
        moment.add(
                sample(t, 99, "cache\u001b[31m", 1, mib(Math.min(1024 + i * 64L, 5120)), UNKNOWN, UNKNOWN, mib(1500)));
        if (i < LAST_OF_NIGHTLY) {
            moment.add(sample(t, 31, "nightly", 1, mib(700), UNKNOWN, UNKNOWN, mib(400)));
        }
        return moment;
    }

    private static long mib(long count) {
        return count * ByteSize.MIB;
    }

    private static ProcessSample sample(
            double t, long pid, String name, int device, long used, long reserved, long allocated, long rss) {
        long hostLimit = rss < 0 ? UNKNOWN : 64 * ByteSize.GIB;
        return new ProcessSample(
                t,
                pid,
                name,
                pid,
                device,
                used,
                reserved,
                allocated,
                UNKNOWN,
                rss,
                UNKNOWN,
                24 * ByteSize.GIB,
                hostLimit);
    }

    /** A file of the samples, for {@code --replay}. */
    public static void write(Path file) throws IOException {
        Files.write(
                file,
                moments().stream().flatMap(List::stream).map(SampleLines::write).toList());
    }

    /** What a watch of the samples shows at their end; {@code nightly} has ended. */
    public static Overview overview() throws IOException {
        AtomicReference<Overview> newest = new AtomicReference<>(Overview.EMPTY);
        OverviewMaker maker = new OverviewMaker(List.of(newest::set), null);
        Watcher watcher = new Watcher(List.of(maker));
        for (List<ProcessSample> moment : moments()) {
            watcher.look(moment, true);
        }
        maker.show(watcher);
        return newest.get();
    }
}
