package dev.leakline.read.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.ProcessSample;
import org.junit.jupiter.api.Test;

class SampleLinesTest {
    @Test
    void whatIsWrittenIsRead() {
        ProcessSample sample = new ProcessSample(1.76e9 + 0.125, 7, "a \"name\"", 3, 1, 10, -1, 0, 4, 5, -1, 6, -1);
        assertThat(SampleLines.read(SampleLines.write(sample))).isEqualTo(sample);
    }

    @Test
    void whatIsMissingNullOrStrangeIsNotKnown() {
        ProcessSample sample = SampleLines.read(
                "{\"note\":\"{\\\"used\\\": 5}\",\"nested\":{\"used\":[1]},\"pid\":7,\"used\":null,\"t\":1.5,\"rss\":1e3}");
        assertThat(sample).isEqualTo(new ProcessSample(1.5, 7, null, -1, -1, -1, -1, -1, -1, 1000, -1, -1, -1));
    }

    @Test
    void whatIsNoSampleIsNone() {
        assertThat(SampleLines.read("{\"t\":1,\"pid\":7,\"used\":12")).isNull();
        assertThat(SampleLines.read("{\"pid\":7}")).isNull();
        assertThat(SampleLines.read("{\"t\":1}")).isNull();
        assertThat(SampleLines.read("[1]")).isNull();
        assertThat(SampleLines.read("")).isNull();
    }
}
