package dev.leakline;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.TrainingRun.Habit;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Coverage;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings made to cost much, or to be taken for what they do not show. */
class HostileRecordingsTest {
    private static final int STACKS = 6_000;
    private static final int NAMES = 1 << 15;

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, Long.MIN_VALUE, (1L << 50) + 1, Long.MAX_VALUE})
    void withoutPossibleSizesNothingIsSaidOfGrowth(long impossible) {
        Object tree = run().build();
        events(tree).forEach(event -> put(event, "size", impossible));
        AnalysisResult result = Analysed.tree(tree);
        assertThat(result.verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(result.reason()).startsWith("the file has no possible size for ");
        assertThat(coverage(result).unsizedAllocations()).isGreaterThan(100);
    }

    /** A leak has at least six rises, so that five sizes cannot hide one. */
    @Test
    void aFewImpossibleSizesAreCountedAndNoMore() {
        Object tree = run().build();
        events(tree).stream()
                .filter(event -> "alloc".equals(event.get("action")))
                .limit(5)
                .forEach(event -> put(event, "size", -1L));
        AnalysisResult result = Analysed.tree(tree);
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(coverage(result).unsizedAllocations()).isEqualTo(5);
    }

    /** Distinct stacks, of which no two share more than their first calls: each of their lines would be a node of each tree of calls. */
    @Test
    void callsBeyondThoseThatAreKeptAreCounted() {
        Random random = new Random(1);
        List<Object> frames = new ArrayList<>();
        for (int line = 0; line < 2000; line++) {
            frames.add(frame("train.py", line, "f" + line % 97));
        }
        Map<String, Long> unused = coverage(Analysed.tree(recording(
                        STACKS,
                        _ -> random.ints(100, 0, 2000).mapToObj(frames::get).toList())))
                .unused();
        assertThat(unused.get("stacks too many to look for loops in")).isBetween(STACKS / 2L, (long) STACKS);
        assertThat(unused.get("stacks too many to tell apart by all their lines"))
                .isBetween(STACKS / 3L, (long) STACKS);
    }

    /** All names have the same hash; the work is compared with that for names that have not. */
    @Test
    void namesThatWereChosenToCollideCostNoMuchMoreThanOthers() {
        cpuSeconds(i -> frame("train.py", 7, "f" + i));
        double plain = cpuSeconds(i -> frame("train.py", 7, "f" + i));
        assertThat(colliding(1).hashCode()).isEqualTo(colliding(NAMES - 1).hashCode());
        assertThat(cpuSeconds(i -> frame("train.py", 7, colliding(i))))
                .as("functions")
                .isLessThan(10 * plain + 1);
        assertThat(cpuSeconds(i -> frame(colliding(i) + ".py", 7, "f")))
                .as("files")
                .isLessThan(10 * plain + 1);
    }

    private static String colliding(int number) {
        StringBuilder name = new StringBuilder();
        for (int bit = 1; bit < NAMES; bit <<= 1) {
            name.append((number & bit) == 0 ? "Aa" : "BB");
        }
        return name.toString();
    }

    private static double cpuSeconds(IntFunction<Object> frame) {
        Object tree = recording(NAMES, i -> List.of(frame.apply(i)));
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThat(Analysed.tree(tree).devices().getFirst().peak().sites()).isEqualTo(NAMES);
        return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e9;
    }

    private static SnapshotBuilder run() {
        SnapshotBuilder recording = snapshot();
        new TrainingRun(recording, 0, Habit.NONE, 1, 0).steps(TrainingRun.STEPS);
        return recording;
    }

    /** Allocations that stay, each with a stack of its own. */
    private static Object recording(int count, IntFunction<List<Object>> stack) {
        List<Object> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(new TreeMap<>(Map.of(
                    "action",
                    "alloc",
                    "addr",
                    (1L << 40) + i * 512L,
                    "size",
                    512L,
                    "stream",
                    0,
                    "frames",
                    stack.apply(i))));
        }
        return Map.of("segments", List.of(), "device_traces", List.of(events));
    }

    private static Map<String, Object> frame(String file, int line, String function) {
        return Map.of("filename", file, "line", line, "name", function);
    }

    private static List<Map<?, ?>> events(Object tree) {
        List<Map<?, ?>> events = new ArrayList<>();
        ((List<?>) ((List<?>) ((Map<?, ?>) tree).get("device_traces")).getFirst())
                .forEach(event -> events.add((Map<?, ?>) event));
        return events;
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<?, ?> event, String key, long value) {
        ((Map<Object, Object>) event).put(key, value);
    }

    private static Coverage coverage(AnalysisResult result) {
        return result.devices().getFirst().coverage();
    }
}
