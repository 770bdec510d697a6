package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdCompressCtx;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Coverage;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.SiteUse;
import dev.leakline.source.ReadException;
import dev.leakline.testkit.Thoroughness;
import dev.leakline.testkit.snapshot.Wrapping;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Damaged recordings: each is refused, or what is said of it adds up. What was live before, plus what was allocated, less what was freed, is
 * what is live at the end; coverage says what did not fit, and a file whose compression or end is damaged never passes for a whole one.
 */
class MutatedRecordingsTest {
    private static final int OF_OUR_OWN = Thoroughness.of(4, 100);
    private static final int OF_THE_CORPUS = Thoroughness.of(1, 10);

    /** Ways to damage a file. */
    private enum Damage {
        /** A few bits of the content are others. */
        FLIPS,
        /** A piece of the content stands elsewhere, twice, or not at all. */
        SPLICE,
        /** The content ends early. */
        CUT,
        /** A few bits of a gzip file are others. */
        GZIP,
        /** The same of zstd. */
        ZSTD,
        /** A compressed file ends early. */
        CUT_GZIP;

        byte[] apply(byte[] content, Random random) throws IOException {
            return switch (this) {
                case FLIPS -> flips(content, random);
                case SPLICE -> splice(content, random);
                case CUT -> Arrays.copyOf(content, random.nextInt(content.length));
                case GZIP -> flips(Wrapping.gzip(content), random);
                case ZSTD -> flips(zstd(content), random);
                case CUT_GZIP -> {
                    byte[] file = Wrapping.gzip(content);
                    yield Arrays.copyOf(file, random.nextInt(file.length));
                }
            };
        }

        /** As the command line tool writes it, which adds a checksum. */
        private static byte[] zstd(byte[] content) {
            try (ZstdCompressCtx compressor = new ZstdCompressCtx()) {
                return compressor.setChecksum(true).compress(content);
            }
        }

        /** Whether the file itself shows that it is not what was written. */
        boolean isEvident() {
            return this != FLIPS && this != SPLICE;
        }

        private static byte[] flips(byte[] content, Random random) {
            byte[] flipped = content.clone();
            for (int flips = 1 + random.nextInt(8); flips > 0; flips--) {
                flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
            }
            return flipped;
        }

        private static byte[] splice(byte[] content, Random random) {
            int from = random.nextInt(content.length);
            int length = Math.min(1 + random.nextInt(1 << random.nextInt(12)), content.length - from);
            int at = random.nextInt(content.length);
            int skipped = random.nextBoolean() ? 0 : Math.min(length, content.length - at);
            ByteArrayOutputStream spliced = new ByteArrayOutputStream();
            spliced.write(content, 0, at);
            spliced.write(content, from, random.nextInt(4) == 0 ? 0 : length);
            spliced.write(content, at + skipped, content.length - at - skipped);
            return spliced.toByteArray();
        }
    }

    @TestFactory
    Stream<DynamicTest> ourOwn() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/snapshots"))) {
            return tests(files.sorted().toList(), OF_OUR_OWN);
        }
    }

    @TestFactory
    Stream<DynamicTest> corpus() throws IOException {
        return tests(Thoroughness.of(OutsideData.files("corpus/snapshots", ".gz")), OF_THE_CORPUS);
    }

    private static Stream<DynamicTest> tests(List<Path> files, int seeds) {
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file, seeds)));
    }

    private static void check(Path file, int seeds) throws IOException {
        byte[] content = content(file);
        String whole = Objects.requireNonNull(said(content, "the file itself"));
        for (Damage damage : Damage.values()) {
            for (int seed = 0; seed < seeds; seed++) {
                String name = file.getFileName() + ", " + damage + ", seed " + seed;
                byte[] damaged = damage.apply(content, new Random(seed));
                String said = said(damaged, name);
                if (damage.isEvident() && said != null) {
                    assertThat(said).as(name + ": passes for whole").isEqualTo(whole);
                }
            }
        }
    }

    private static byte[] content(Path file) throws IOException {
        try (InputStream stream = new GZIPInputStream(Files.newInputStream(file))) {
            return stream.readAllBytes();
        }
    }

    /** Checks what is said of a file and answers its figures; null where the file was refused, or is said to be incomplete. */
    private static @Nullable String said(byte[] file, String name) throws IOException {
        Snapshot snapshot;
        try {
            snapshot = Snapshot.open(InputSource.of("file", new ByteArrayInputStream(file)));
        } catch (ReadException e) {
            return null;
        }
        AnalysisResult result = Analysis.run(List.of(snapshot), Analysis.Options.ALL);
        List<String> figures = new ArrayList<>();
        for (DeviceResult device : result.devices()) {
            figures.add(check(device, snapshot.columns(), name + ", device " + device.device()));
        }
        return snapshot.incomplete() == null ? result.verdict() + " " + figures : null;
    }

    private static String check(DeviceResult device, SnapshotColumns columns, String name) {
        Ledger ledger = new Ledger(columns, device.device());
        MemoryCurve curve = new MemoryCurve(columns, LifetimeBuilder.build(columns, device.device()));
        while (curve.next()) {
            assertThat(curve.requested()).as(name + ": requested and live").isNotNegative();
        }
        if (columns.recorder == Recorder.ALLOCATOR) {
            assertThat(device.startRequestedBytes()).as(name + ": start").isEqualTo(ledger.start);
            assertThat(device.peakRequestedBytes()).as(name + ": peak").isEqualTo(ledger.peak);
        }
        assertThat(curve.requested()).as(name + ": end").isEqualTo(ledger.end());
        Coverage coverage = device.coverage();
        assertThat(List.of(
                        coverage.lostFrees(),
                        coverage.unknownFrees(),
                        coverage.unknownFreeBytes(),
                        coverage.unsizedAllocations()))
                .as(name + ": frees lost, frees of the unknown and their bytes, allocations without a size")
                .isEqualTo(List.of(ledger.lostFrees, ledger.unknownFrees, ledger.unknownFreeBytes, ledger.unsized));
        assertThat(device.endBytes() - coverage.endMismatchBytes())
                .as(name + ": active blocks at the end")
                .isEqualTo(ledger.activeBytes);
        assertThat(device.endReservedBytes()).as(name + ": segments at the end").isEqualTo(ledger.segmentBytes);
        checkPeak(device, name);
        return ledger.start + " " + ledger.allocated + " " + ledger.freed + " " + ledger.activeBytes + " "
                + ledger.segmentBytes;
    }

    private static void checkPeak(DeviceResult device, String name) {
        long peak = device.peak().bytes();
        assertThat(peak)
                .as(name + ": peak")
                .isGreaterThanOrEqualTo(Math.max(device.startBytes(), device.endBytes()))
                .isEqualTo(device.peak().bySite().stream()
                        .mapToLong(SiteUse::bytes)
                        .sum());
        assertThat(device.timeline())
                .allSatisfy(point -> assertThat(point.bytes()).as(name).isBetween(0L, peak));
    }
}
