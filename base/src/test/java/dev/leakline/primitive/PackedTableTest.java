package dev.leakline.primitive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.longs;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PackedTableTest {
    /** Two sealed pages and an open one. */
    private static final int ROWS = 2 * 4096 + 17;

    /** Values of any width in bits, from any base, with any number of trailing zeros: all widths of pages, and overflow. */
    @Test
    void whatGoesInComesOut() {
        qt().withExamples(100)
                .withFixedSeed(20_261_121)
                .forAll(longs().all(), integers().between(0, 64), integers().between(0, 40), longs().all())
                .checkAssert(PackedTableTest::checkRoundTrip);
    }

    @Test
    void everyWidthFromEveryBaseComesOut() {
        for (long base : new long[] {0, -5, Long.MIN_VALUE, Long.MAX_VALUE, 0x7f00_0000_0000L}) {
            for (int bits = 0; bits <= Long.SIZE; bits++) {
                checkRoundTrip(base, bits, 0, bits);
                checkRoundTrip(base, bits, 9, bits);
            }
        }
    }

    private static void checkRoundTrip(long base, int bits, int shift, long seed) {
        PackedTable table = new PackedTable(2);
        Random random = new Random(seed);
        for (int row = 0; row < ROWS; row++) {
            table.set(0, value(random, base, bits, shift));
            table.set(1, row);
            table.endRow();
        }
        Random again = new Random(seed);
        for (int row = 0; row < ROWS; row++) {
            long expected = value(again, base, bits, shift);
            if (table.get(0, row) != expected || table.get(1, row) != row) {
                assertThat(table.get(0, row)).as("row %s", row).isEqualTo(expected);
                assertThat(table.get(1, row)).as("row %s", row).isEqualTo(row);
            }
        }
    }

    private static long value(Random random, long base, int bits, int shift) {
        long any = bits == 0 ? 0 : random.nextLong() >>> (Long.SIZE - bits);
        return base + (any << shift);
    }

    @Test
    void theFullRangeFitsInOnePage() {
        PackedTable table = new PackedTable(1);
        long[] extremes = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1};
        for (int row = 0; row < 5000; row++) {
            table.set(0, extremes[row % 5]);
            table.endRow();
        }
        for (int row = 0; row < 5000; row++) {
            assertThat(table.get(0, row)).isEqualTo(extremes[row % 5]);
        }
    }

    @Test
    void aRowThatWasNeverAddedIsRefused() {
        PackedTable table = new PackedTable(1);
        table.set(0, 7);
        assertThatThrownBy(() -> table.get(0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        table.endRow();
        assertThat(table.get(0, 0)).isEqualTo(7);
        assertThat(table.size()).isEqualTo(1);
        assertThatThrownBy(() -> table.get(0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** More pages than the table has room for at first. */
    @Test
    void theTableGrows() {
        PackedTable table = new PackedTable(1);
        for (int row = 0; row < 100_000; row++) {
            table.set(0, (long) row * row);
            table.endRow();
        }
        assertThat(table.size()).isEqualTo(100_000);
        assertThat(table.get(0, 70_001)).isEqualTo(70_001L * 70_001);
        assertThat(table.get(0, 99_999)).isEqualTo(99_999L * 99_999);
    }
}
