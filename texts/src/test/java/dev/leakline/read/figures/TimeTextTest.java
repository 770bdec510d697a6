package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.read.terms.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "2026-11-21 06:00:00 ~ 2026-11-21T06:00:00Z",
                "2026-11-21 06:00:00,123 - INFO ~ 2026-11-21T06:00:00.123Z",
                "2026/11/21 06:00:00.250 ~ 2026-11-21T06:00:00.250Z",
                "date: 2026-11-21T06:00:00+08:00 ~ 2026-11-20T22:00:00Z",
                "2026-11-21T06:00:00.123456Z x ~ 2026-11-21T06:00:00.123456Z",
                "2026-11-21T06:00:00-0530 ~ 2026-11-21T11:30:00Z",
                "20261121   06:00:00 ~ 2026-11-21T06:00:00Z",
                "[INFO|trainer.py:12] 2026-11-21 06:00:00 ~ 2026-11-21T06:00:00Z",
                "Sat Nov 21 06:00:00 2026 ~ 2026-11-21T06:00:00Z",
                "21-11-2026,06:00:00 ~ 2026-11-21T06:00:00Z",
                "11/21/2026 06:00:00 ~ 2026-11-21T06:00:00Z",
                "11-21-2026 6:00:00 ~ 2026-11-21T06:00:00Z",
                "04-03-2021 06:00:00 ~ 2021-03-04T06:00:00Z",
                "04/03/2021 06:00:00 ~ 2021-04-03T06:00:00Z"
            })
    void moments(String text, String moment) {
        TimeText found = TimeText.find(text);
        assertThat(found).isNotNull();
        assertThat(found.axis()).isEqualTo(Axis.TIME);
        assertThat(micros(found)).isEqualTo(Instant.parse(moment));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "05/04 12:00:00 - mmengine ~ P124DT12H",
                "I0504 12:00:00.500000 123 x.cc ~ P124DT12H0.5S",
                "INFO 05-04 12:00:00 [engine.py:160] ~ P124DT12H",
                "[12:00:01] x ~ PT12H1S"
            })
    void momentsWithoutAYear(String text, String since) {
        TimeText found = TimeText.find(text);
        assertThat(found).isNotNull();
        assertThat(found.axis()).isEqualTo(Axis.ELAPSED);
        assertThat(Duration.between(Instant.EPOCH, micros(found))).isEqualTo(Duration.parse(since));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eta: 2:03:04",
                "time 12:00:00",
                "2026-13-41 06:00:00",
                "2026-11-21 26:00:00",
                "utils.py:785:12",
                "no time",
                "far, far away, behind more than sixty-four characters of a line: 2026-11-21 06:00:00"
            })
    void noMoments(String text) {
        assertThat(TimeText.find(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"1795240800.25", "1795240800250", "1795240800250000", "1795240800250000000"})
    void unixTimesInAnyUnit(double number) {
        assertThat(TimeText.of(number).micros()).isEqualTo(1_795_240_800_250_000.0);
        assertThat(TimeText.of(number).axis()).isEqualTo(Axis.TIME);
    }

    @Test
    void otherNumbers() {
        assertThat(TimeText.of(12.5)).isEqualTo(new TimeText(12_500_000, Axis.ELAPSED, false));
        assertThat(TimeText.of(-1)).isNull();
        assertThat(TimeText.of(Double.NaN)).isNull();
        assertThat(TimeText.of(1e300)).isNull();
    }

    private static Instant micros(TimeText found) {
        return Instant.EPOCH.plus((long) found.micros(), ChronoUnit.MICROS);
    }
}
