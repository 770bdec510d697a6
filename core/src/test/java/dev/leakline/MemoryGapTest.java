package dev.leakline;

import static dev.leakline.FigureFiles.MB;
import static dev.leakline.FigureFiles.analyse;
import static dev.leakline.FigureFiles.file;
import static dev.leakline.FigureFiles.seconds;
import static dev.leakline.FigureFiles.series;
import static dev.leakline.FigureFiles.steps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.MemoryGap;
import dev.leakline.result.MemoryGap.Alignment;
import dev.leakline.result.MemoryGap.Kind;
import dev.leakline.result.MemoryGap.Part;
import java.io.IOException;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** What a device's figure says more than the allocator's is split, and the parts add up. */
class MemoryGapTest {
    private static final long BEFORE = 311 * MB;
    private static final long CONTEXT = 523 * MB;
    private static final long NCCL = 653 * MB;
    private static final int JOB_STARTS = 60;
    private static final int JOB_TAKES = 400;

    /** Reserved at each second of the job: it warms up, and grows by 20 MiB every now and then. */
    private static long reserved(int second) {
        return (1_000 + Math.min(second, 30) * 50L + second / 10 * 20L) * MB;
    }

    /** What nvidia-smi sees of the same job, from a minute before it to a minute after. */
    private static long used(int second) {
        int ofJob = second - JOB_STARTS;
        boolean isRunning = ofJob >= 0 && ofJob < JOB_TAKES;
        return BEFORE + (isRunning ? reserved(ofJob) + CONTEXT + (ofJob >= 150 ? NCCL : 0) : 0);
    }

    @Test
    void withOneClock_allPartsAreTold() {
        MemoryGap gap = gap(analyse(telemetry(), smi()));
        assertThat(gap.alignment()).isEqualTo(Alignment.TIME);
        assertThat(bytes(gap, Kind.ALLOCATED)).isEqualTo(reserved(399) - 100 * MB);
        assertThat(bytes(gap, Kind.CACHED)).isEqualTo(100 * MB);
        assertThat(bytes(gap, Kind.BEFORE)).isEqualTo(BEFORE);
        assertThat(bytes(gap, Kind.CONTEXT)).isEqualTo(CONTEXT);
        assertThat(bytes(gap, Kind.LIBRARIES)).isEqualTo(NCCL);
        assertThat(bytes(gap, Kind.UNEXPLAINED)).isZero();
        assertThat(gap.growthPerUnit()).isZero();
        assertThat(gap.text()).contains("jumps once by +653 MiB");
    }

    @Test
    void withoutACommonClock_theShapeAligns() {
        MemoryGap gap =
                gap(analyse(file("train.log", steps(Quantity.RESERVED, JOB_TAKES, MemoryGapTest::reserved)), smi()));
        assertThat(gap.alignment()).isEqualTo(Alignment.SHAPE);
        assertThat(gap.text()).contains("no common clock");
        assertThat(bytes(gap, Kind.RESERVED)).isCloseTo(reserved(399), within(40 * MB));
        assertThat(bytes(gap, Kind.CONTEXT)).isCloseTo(CONTEXT, within(60 * MB));
        assertThat(bytes(gap, Kind.LIBRARIES)).isCloseTo(NCCL, within(60 * MB));
        assertThat(bytes(gap, Kind.BEFORE)).isEqualTo(BEFORE);
    }

    @Test
    void growthBeside_isAPart() {
        AnalysisResult result = analyse(
                telemetry(), file("smi.csv", process(4121, second -> reserved(second) + CONTEXT + second * MB)));
        MemoryGap gap = gap(result);
        assertThat(bytes(gap, Kind.CONTEXT)).isCloseTo(CONTEXT, within(3 * MB));
        assertThat(bytes(gap, Kind.GROWTH)).isCloseTo(399 * MB, within(3 * MB));
        assertThat(gap.growthPerUnit()).isCloseTo(MB, within(0.01 * MB));
    }

    @Test
    void otherProcesses_areTold() {
        AnalysisResult result = analyse(
                telemetry(),
                file(
                        "smi.csv",
                        process(4121, MemoryGapTest::mine),
                        process(5005, _ -> 871 * MB),
                        seconds(Quantity.DEVICE_USED, JOB_STARTS, JOB_TAKES, second -> mine(second) + 871 * MB)));
        MemoryGap gap = gap(result);
        assertThat(bytes(gap, Kind.OTHER_PROCESSES)).isEqualTo(871 * MB);
        assertThat(bytes(gap, Kind.CONTEXT)).isEqualTo(CONTEXT);
        assertThat(gap.usedBytes()).isEqualTo(mine(399) + 871 * MB);
    }

    @Test
    void aFigureThatWasTakenFromTheAllocator_tellsNothingMore() {
        AnalysisResult result = analyse(file(
                "telemetry.json",
                time(Source.TELEMETRY, Quantity.RESERVED, 4121, MemoryGapTest::reserved),
                time(Source.TELEMETRY, Quantity.DEVICE_USED, 4121, MemoryGapTest::reserved)));
        assertThat(gap(result).text()).contains("was read from the allocator", "nvidia-smi");
        assertThat(gap(result).parts()).extracting(Part::kind).containsExactly(Kind.RESERVED);
    }

    @Test
    void aDeviceWithLessThanTheAllocator_isAnotherOne() {
        AnalysisResult result = analyse(
                telemetry(), file("smi.csv", seconds(Quantity.DEVICE_USED, JOB_STARTS, JOB_TAKES, _ -> 300 * MB)));
        assertThat(result.gaps()).isEmpty();
        assertThat(result.agreements()).hasSize(1);
        assertThat(result.agreements().getFirst().isAgreed()).isFalse();
    }

    /** A recorded job, and what a monitor would have seen of it. */
    @Test
    void aSnapshotTakesThePlaceOfTheAllocatorsFigures() throws IOException {
        Snapshot snapshot = Snapshot.open(Repository.root().resolve("examples/train_with_a_leak.pickle.gz"));
        DeviceResult device = analyse(snapshot).devices().getFirst();
        MemorySeries seen = new MemorySeries(new Subject(Source.EXPORTER, Quantity.DEVICE_USED, Axis.TIME, 0, -1, ""));
        device.timeline().forEach(point -> seen.add((double) point.timeUs(), point.reservedBytes() + CONTEXT));
        MemoryGap gap = gap(analyse(snapshot, file("exporter.txt", seen)));
        assertThat(gap.innerSeries()).isEqualTo(MemoryGap.SNAPSHOT);
        assertThat(bytes(gap, Kind.CONTEXT)).isEqualTo(CONTEXT);
        assertThat(bytes(gap, Kind.UNEXPLAINED)).isZero();
    }

    private static long mine(int second) {
        return reserved(second) + CONTEXT;
    }

    private static Measurement telemetry() {
        return file(
                "telemetry.json",
                time(Source.TELEMETRY, Quantity.ALLOCATED, 4121, second -> reserved(second) - 100 * MB),
                time(Source.TELEMETRY, Quantity.RESERVED, 4121, MemoryGapTest::reserved));
    }

    private static Measurement smi() {
        return file("smi.csv", seconds(Quantity.DEVICE_USED, 0, 2 * JOB_STARTS + JOB_TAKES, MemoryGapTest::used));
    }

    private static MemorySeries process(long process, IntToLongFunction value) {
        return time(Source.NVIDIA_SMI, Quantity.PROCESS_USED, process, value);
    }

    private static MemorySeries time(Source source, Quantity quantity, long process, IntToLongFunction value) {
        return series(new Subject(source, quantity, Axis.TIME, 0, process, ""), JOB_STARTS, JOB_TAKES, value);
    }

    /** The only gap; what it says must close. */
    private static MemoryGap gap(AnalysisResult result) {
        assertThat(result.gaps()).hasSize(1);
        MemoryGap gap = result.gaps().getFirst();
        assertThat(gap.parts().stream().mapToLong(Part::bytes).sum()).isEqualTo(gap.usedBytes());
        return gap;
    }

    private static long bytes(MemoryGap gap, Kind kind) {
        return gap.parts().stream()
                .filter(part -> part.kind() == kind)
                .mapToLong(Part::bytes)
                .sum();
    }
}
