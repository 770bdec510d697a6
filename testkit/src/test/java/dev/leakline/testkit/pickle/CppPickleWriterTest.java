package dev.leakline.testkit.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rules seen in a file by torch 2.14.1's {@code _memory_snapshot_pickled()}. */
class CppPickleWriterTest {
    @Test
    void batchesAreWrittenEvenWhenEmptyAndNothingUsedOnceIsMemoised() {
        assertThat(written(List.of(List.of(), Map.of()))).isEqualTo("\200\002](](e}(ue.");
    }

    @Test
    void aListUsedTwiceIsMemoisedAfterItsContents() {
        List<Object> frames = List.of(7);

        assertThat(written(List.of(frames, frames))).isEqualTo("\200\002](](K\007eq\000h\000e.");
    }

    @Test
    void aSharedNodeIsMemoisedEvenIfUsedOnce() {
        assertThat(written(List.of(Shared.of(List.of())))).isEqualTo("\200\002](](eq\000e.");
    }

    @Test
    void stringsAreMemoisedByValue() {
        String first = "N/A";
        String second = String.valueOf(first.toCharArray());
        Map<String, Object> dict = new LinkedHashMap<>();
        dict.put("N/A", second);

        assertThat(written(List.of(first, dict))).isEqualTo("\200\002](X\003\000\000\000N/Aq\000}(h\000h\000ue.");
    }

    @Test
    void largeIntsHaveEightBytesAndASign() {
        BigInteger highest = BigInteger.ONE.shiftLeft(63);

        assertThat(written(1L << 31)).isEqualTo("\200\002\212\010\000\000\000\200\000\000\000\000.");
        assertThat(written(highest)).isEqualTo("\200\002\212\010\000\000\000\000\000\000\000\200.");
        assertThat(written(-1)).isEqualTo("\200\002J\377\377\377\377.");
    }

    @Test
    void aThousandItemsAreOneBatch() {
        List<Object> many = new ArrayList<>();
        for (int i = 0; i < 2500; i++) {
            many.add(true);
        }

        assertThat(written(many)).isEqualTo("\200\002](" + "\210".repeat(2500) + "e.");
    }

    private static String written(Object tree) {
        return new String(Dialect.CPP.bytes(tree), StandardCharsets.ISO_8859_1);
    }
}
