package dev.leakline;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.Window.Bound;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.testkit.snapshot.Layout;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowTest {
    private static final long MB = 1 << 20;

    @Test
    void aNumberIsAnEvent() {
        assertThat(Window.parse("0")).isEqualTo(new Bound.Event(0));
        assertThat(Window.parse("12000")).isEqualTo(new Bound.Event(12_000));
    }

    @ParameterizedTest
    @CsvSource({"7us,7", "120ms,120000", "3.5s,3500000", "+2min,120000000", "1h,3600000000", "0.25ms,250", "0s,0"})
    void aNumberWithAUnitIsTimeSinceTheBeginning(String text, long micros) {
        assertThat(Window.parse(text)).isEqualTo(new Bound.Elapsed(micros));
    }

    @Test
    void anInstantIsAPointInTime() {
        Instant time = Instant.parse("2026-11-21T09:30:00.000007Z");
        assertThat(Window.parse(time.toString())).isEqualTo(new Bound.Time(time.getEpochSecond() * 1_000_000 + 7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "noon", "-5", "3.5", "1e3s", "10 s", "5 ", "1.s", "1d", "2026-11-21", "9999999999"})
    void anythingElseIsRefusedWithExamples(String text) {
        assertThatThrownBy(() -> Window.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is not a moment of a recording")
                .hasMessageContaining("3.5s");
    }

    /** The builder lets 10 microseconds pass from one event to the next. */
    @Test
    void aBoundIsTheFirstEventThatIsNotBefore() {
        DeviceEvents events = events(snapshot());
        long start = events.timeMicros(0);
        assertThat(events.count()).isEqualTo(9);
        assertThat(new Bound.Elapsed(0).event(events)).isZero();
        assertThat(new Bound.Elapsed(20).event(events)).isEqualTo(2);
        assertThat(new Bound.Elapsed(21).event(events)).isEqualTo(3);
        assertThat(new Bound.Time(start + 35).event(events)).isEqualTo(4);
        assertThat(new Bound.Time(0).event(events)).isZero();
        assertThat(new Bound.Event(5).event(events)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"500", "3h", "999999999999h", "2226-01-01T00:00:00Z", "+1000000000-12-31T23:59:59Z"})
    void aBoundBeyondTheRecordingIsItsEnd(String text) {
        DeviceEvents events = events(snapshot());
        assertThat(Window.parse(text).event(events)).isEqualTo(events.count());
    }

    @Test
    void aTimeIsRefusedWhereTheRecordingHasNone() {
        DeviceEvents events = events(snapshot().layout(Layout.V2_1));
        assertThatThrownBy(() -> Window.parse("1s").event(events))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the recording has no times");
        assertThat(Window.parse("3").event(events)).isEqualTo(3);
    }

    private static DeviceEvents events(SnapshotBuilder recording) {
        recording.repeat(8, (s, i) -> s.alloc("a" + i, MB * 2 + i));
        return LifetimeBuilder.build(Columns.of(recording), 0).events();
    }
}
