package dev.leakline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.sun.management.ThreadMXBean;
import dev.leakline.source.ReadException;
import dev.leakline.testkit.Thoroughness;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Real recordings with one byte changed: whatever it does to them, it is read and reported, or refused in words. */
class FlippedBytesTest {
    private static final int PLACES = Thoroughness.of(200, 1_000);
    private static final long SEED = 20_261_121;
    private static final Duration PATIENCE = Duration.ofSeconds(Thoroughness.HANGS);
    /** Reading the whole file allocates some 6 MiB, most of it buffers of fixed size. */
    private static final long MOST_ALLOCATED = 64L << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TestFactory
    Stream<DynamicTest> oneByteChangesNothingButTheAnswer() {
        Map<String, byte[]> files = Map.of(
                "protocol 0", WholeWay.unpacked("protocol_0.pickle.gz"),
                "protocol 2", WholeWay.unpacked("protocol_2.pickle.gz"),
                "protocol 4", WholeWay.unpacked("protocol_4.pickle.gz"),
                "C++ writer", WholeWay.unpacked("cpp_writer.pickle.gz"),
                "JSON", WholeWay.unpacked("json_dump.json.gz"),
                "gzip", WholeWay.recorded("protocol_4.pickle.gz"),
                "page", WholeWay.unpacked("memory_viz.html.gz"));
        return files.entrySet().stream()
                .map(file -> dynamicTest(
                        file.getKey(),
                        () -> assertTimeoutPreemptively(PATIENCE, () -> flip(file.getKey(), file.getValue()))));
    }

    private static void flip(String name, byte[] whole) throws ReadException {
        Random random = new Random(SEED);
        int refused = 0;
        assertThat(WholeWay.of(whole)).contains("leakline.report/1");
        for (int i = 0; i < PLACES; i++) {
            int place = random.nextInt(whole.length);
            byte value = (byte) (whole[place] ^ random.nextInt(1, 256));
            refused += isRefused(name, place, value, whole) ? 1 : 0;
        }
        assertThat(refused).as("of %s flips", PLACES).isBetween(1, PLACES);
    }

    private static boolean isRefused(String name, int place, byte value, byte[] whole) {
        byte[] file = whole.clone();
        file[place] = value;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            assertThat(WholeWay.of(file)).contains("leakline.report/1");
            return false;
        } catch (ReadException e) {
            assertThat(e).hasMessageMatching("(?s).{10,}");
            return true;
        } catch (RuntimeException | Error e) {
            return fail("%s: byte %d changed from %d to %d".formatted(name, place, whole[place], value), e);
        } finally {
            assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
                    .as("bytes allocated for %s with byte %d changed to %d", name, place, value)
                    .isLessThan(MOST_ALLOCATED);
        }
    }
}
