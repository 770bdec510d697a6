package dev.leakline.known.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CollectorCallTest {
    @Test
    void aLineThatOnlyCollectsGarbageIsOne() {
        assertThat(isCall("        gc.collect()")).isTrue();
        assertThat(isCall("found = gc.collect(1)  # all but the oldest")).isTrue();
        assertThat(isCall("if step % 25 == 24: gc.collect()")).isTrue();
    }

    @Test
    void aLineThatFreesSomethingElseAsWellIsNone() {
        assertThat(isCall("outs.clear(); gc.collect()")).isFalse();
        assertThat(isCall("gc.disable()")).isFalse();
        assertThat(isCall("gc.collect(drop(outs))")).isFalse();
    }

    @Test
    void aShortNameCountsWhereItIsTheCollectors() {
        assertThat(CollectorCall.is(List.of("from gc import collect", "collect()"), 2))
                .isTrue();
        assertThat(isCall("collect()")).isFalse();
    }

    @Test
    void aLineOutsideTheFileIsNone() {
        assertThat(CollectorCall.is(List.of("gc.collect()"), 2)).isFalse();
        assertThat(CollectorCall.is(List.of(), 0)).isFalse();
    }

    private static boolean isCall(String line) {
        return CollectorCall.is(List.of(line), 1);
    }
}
