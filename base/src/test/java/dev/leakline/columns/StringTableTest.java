package dev.leakline.columns;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.strings;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StringTableTest {
    @Test
    void theEmptyStringIsNumberZero() {
        StringTable table = new StringTable();
        assertThat(table.size()).isEqualTo(1);
        assertThat(table.intern("")).isZero();
        assertThat(table.get(0)).isEmpty();
    }

    @Test
    void whatGoesInComesOutUnderOneNumber() {
        qt().withFixedSeed(7)
                .withExamples(200)
                .forAll(lists().of(strings().basicMultilingualPlaneAlphabet().ofLengthBetween(0, 12))
                        .ofSizeBetween(0, 80))
                .checkAssert(StringTableTest::checkRoundTrip);
    }

    private static void checkRoundTrip(List<String> texts) {
        StringTable table = new StringTable();
        Set<String> distinct = new HashSet<>(Set.of(""));
        int[] ids = texts.stream().mapToInt(table::intern).toArray();
        for (int i = 0; i < ids.length; i++) {
            String text = new String(texts.get(i).getBytes(UTF_8), UTF_8);
            distinct.add(text);
            assertThat(table.get(ids[i])).isEqualTo(text);
            assertThat(table.intern(text)).isEqualTo(ids[i]);
        }
        assertThat(table.size()).isEqualTo(distinct.size());
    }

    /** Pairs such as Aa and BB have equal hashes. */
    @Test
    void stringsOfEqualHashAreTold() {
        StringTable table = new StringTable();
        assertThat(table.intern("AaAa")).isEqualTo(1);
        assertThat(table.intern("BBBB")).isEqualTo(2);
        assertThat(table.intern("AaBB")).isEqualTo(3);
        assertThat(table.get(2)).isEqualTo("BBBB");
    }

    @Test
    void theTableGrows() {
        StringTable table = new StringTable();
        for (int i = 1; i <= 50_000; i++) {
            assertThat(table.intern("frame " + i)).isEqualTo(i);
        }
        assertThat(table.intern("frame 33333")).isEqualTo(33_333);
        assertThat(table.get(49_999)).isEqualTo("frame 49999");
        assertThat(table.byteCount()).isEqualTo(50_000 * 6 + 9 + 180 + 2_700 + 36_000 + 40_001 * 5);
    }

    @Test
    void aPartOfAnArrayIsAString() {
        StringTable table = new StringTable();
        byte[] source = "xxalloc\377".getBytes(UTF_8);
        assertThat(table.intern(source, 2, 5)).isEqualTo(table.intern("alloc"));
        source[2] = 'b';
        assertThat(table.get(1)).isEqualTo("alloc");
    }

    @Test
    void malformedBytesAreAStringOfTheirOwn() {
        StringTable table = new StringTable();
        int malformed = table.intern(new byte[] {'a', (byte) 0xc3, '('}, 0, 3);
        assertThat(table.get(malformed)).isEqualTo("a\ufffd(");
        assertThat(table.intern("a\ufffd(")).isNotEqualTo(malformed);
    }
}
