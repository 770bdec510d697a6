package dev.leakline.python.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceFileTest {
    @Test
    void aLineThatOnlyCollectsGarbageIsOne() {
        assertThat(isCall("gc.collect()")).isTrue();
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
        assertThat(new SourceFile("train.py", "from gc import collect\ncollect()\n").isCollection(2))
                .isTrue();
        assertThat(isCall("collect()")).isFalse();
    }

    @Test
    void aLineOutsideTheFileIsNone() {
        assertThat(new SourceFile("train.py", "gc.collect()").isCollection(2)).isFalse();
        assertThat(new SourceFile("train.py", "").isCollection(0)).isFalse();
    }

    private static boolean isCall(String line) {
        return new SourceFile("train.py", line).isCollection(1);
    }
}
