package dev.leakline.profile;

import static dev.leakline.profile.SimulatedDevice.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.profile.SimulatedDevice.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PeakWindowsTest {
    private static final int RUNS = 300;
    private static final int STEPS = 80;

    @Test
    void whatAnInnerWindowResetsTheOuterOneKeeps() {
        SimulatedDevice device = new SimulatedDevice();
        PeakWindows windows = new PeakWindows(device);
        PeakWindow outer = windows.open(null);
        device.touch(200 * MIB);
        PeakWindow inner = windows.open(null);
        device.touch(3 * MIB);
        windows.close(inner);
        device.touch(MIB);
        windows.close(outer);

        assertThat(inner.peak()).isEqualTo(new MemoryPeak(3 * MIB, 200 * MIB, true));
        assertThat(outer.peak()).isEqualTo(new MemoryPeak(200 * MIB, 200 * MIB, true));
    }

    @Test
    void aPeakBeforeAWindowIsNotOfIt() {
        SimulatedDevice device = new SimulatedDevice(Kind.COUNTS);
        PeakWindows windows = new PeakWindows(device);
        device.touch(500 * MIB);
        PeakWindow window = windows.open(null);
        device.touch(90 * MIB);
        device.allocate(7 * MIB);
        windows.close(window);

        assertThat(window.peak().used()).isEqualTo(7 * MIB);
        assertThat(window.peak().isExact()).isFalse();
    }

    @Test
    void aCounterThatCannotBeResetTellsOfWhatIsHigherThanEverBefore() {
        SimulatedDevice device = new SimulatedDevice(Kind.COUNTS);
        PeakWindows windows = new PeakWindows(device);
        device.touch(50 * MIB);
        PeakWindow window = windows.open(null);
        device.touch(90 * MIB);
        windows.close(window);

        assertThat(window.peak()).isEqualTo(new MemoryPeak(90 * MIB, 100 * MIB, true));
    }

    /** Windows that begin and end in any order, memory that comes and goes, ticks of monitors, and a source that fails now and then. */
    @ParameterizedTest
    @EnumSource
    void aPeakIsNeverTooHighAndIsTrueWhereItIsSaidToBe(Kind kind) {
        int exact = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            boolean isSteady = seed % 2 == 0;
            for (Watched watched : new Run(kind, new Random(seed), isSteady).windows()) {
                MemoryPeak peak = watched.window.peak();
                assertThat(peak.used()).as("seed %d", seed).isLessThanOrEqualTo(watched.truth);
                if (peak.isExact()) {
                    exact++;
                    assertThat(peak.used()).as("seed %d", seed).isEqualTo(watched.truth);
                } else if (isSteady) {
                    assertThat(kind).as("seed %d", seed).isNotEqualTo(Kind.RESETS);
                }
            }
        }
        if (kind == Kind.COUNTS_NO_PEAKS) {
            assertThat(exact).isZero();
        } else {
            assertThat(exact).isGreaterThan(RUNS);
        }
    }

    @Test
    void windowsThatAreForgottenTakeNoMoreRoomThanThereIs() {
        SimulatedDevice device = new SimulatedDevice();
        PeakWindows windows = new PeakWindows(device);
        for (int i = 0; i < PeakWindows.MOST; i++) {
            windows.open(null);
        }
        int readings = device.readings;
        PeakWindow window = windows.open(null);
        windows.close(window);

        assertThat(window).isSameAs(PeakWindow.UNMEASURED);
        assertThat(device.readings).isEqualTo(readings);
        assertThat(window.peak()).isEqualTo(new MemoryPeak(-1, -1, false));
    }

    /** A window, and the most that was in use since it began, as only the simulation knows. */
    private static final class Watched {
        private final PeakWindow window;
        private long truth;

        private Watched(PeakWindow window, long now) {
            this.window = window;
            this.truth = window.basis == Basis.NONE ? MemoryCounters.UNKNOWN : now;
        }

        private void see(long now) {
            truth = window.basis == Basis.NONE ? MemoryCounters.UNKNOWN : Math.max(truth, now);
        }
    }

    private static final class Run {
        private final SimulatedDevice device;
        private final PeakWindows windows;
        private final Random random;
        private final boolean isSteady;
        private final List<Watched> open = new ArrayList<>();
        private final List<Watched> closed = new ArrayList<>();

        private Run(Kind kind, Random random, boolean isSteady) {
            this.device = new SimulatedDevice(kind);
            this.windows = new PeakWindows(device);
            this.random = random;
            this.isSteady = isSteady;
        }

        private List<Watched> windows() {
            for (int step = 0; step < STEPS; step++) {
                device.isFailing = !isSteady && random.nextInt(5) == 0;
                step();
            }
            device.isFailing = false;
            while (!open.isEmpty()) {
                close();
            }
            return closed;
        }

        private void step() {
            switch (random.nextInt(7)) {
                case 0 -> open.add(new Watched(windows.open(null), device.allocated()));
                case 1 -> close();
                case 2 -> device.free(random.nextLong(device.allocated() + 1));
                case 3 -> windows.read();
                case 4 -> tick();
                case 5 -> touch();
                default -> allocate(random.nextLong(100));
            }
        }

        private void allocate(long bytes) {
            device.allocate(bytes);
            open.forEach(watched -> watched.see(device.allocated()));
        }

        private void touch() {
            long bytes = random.nextLong(300);
            allocate(bytes);
            device.free(bytes);
        }

        private void close() {
            if (!open.isEmpty()) {
                Watched watched = open.remove(random.nextInt(open.size()));
                windows.close(watched.window);
                closed.add(watched);
            }
        }

        private void tick() {
            if (!open.isEmpty()) {
                Watched watched = open.removeLast();
                PeakWindow next = windows.next(watched.window);
                boolean isSame = next == watched.window;
                open.add(isSame ? watched : new Watched(next, device.allocated()));
                if (!isSame) {
                    closed.add(watched);
                }
            }
        }
    }
}
