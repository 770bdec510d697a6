package dev.leakline.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadLimitsTest {
    @Test
    void howMuchFilesMayUnfoldTo_inGibibytes() {
        ReadLimits trusting = ReadLimits.DEFAULT.trusting("1024");
        assertThat(trusting.inflatedBytes()).isEqualTo(1L << 40);
        assertThat(trusting.unfolding()).isEqualTo(Integer.MAX_VALUE);
        assertThat(ReadLimits.howToTrust(null)).isEqualTo("LEAKLINE_UNFOLD=1024 lets it unfold to 1024 GiB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1T", "1.5", "1024 GiB", "12345678"})
    void whatIsNoNumberOfGibibytesIsSaidToBeIgnored(String value) {
        assertThat(ReadLimits.DEFAULT.trusting(value)).isEqualTo(ReadLimits.DEFAULT);
        assertThat(ReadLimits.howToTrust(value))
                .isEqualTo("LEAKLINE_UNFOLD must be a whole number of GiB from 1 to 999999, such as 1024, but is \""
                        + value + "\", and was ignored");
    }
}
