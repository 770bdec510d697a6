package dev.leakline.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Against the sorted set of the library, at ten thousands of random additions and removals. */
class BlockSetTest {
    private record Entry(long key, long address, int block) {}

    private static final Comparator<Entry> ORDER =
            Comparator.comparingLong(Entry::key).thenComparing(Entry::address, Long::compareUnsigned);

    private final Blocks blocks = new Blocks();
    private final BlockSet set = new BlockSet(blocks);
    private final TreeSet<Entry> expected = new TreeSet<>(ORDER);

    @Test
    void itsOrderIsThatOfKeysAndAddresses() {
        Segment segment =
                new Segment(0, 1L << 60, new StreamBlocks(0, new BlockPool(0, true, blocks), blocks), false, 0, blocks);
        Random random = new Random(4711);
        List<Entry> present = new ArrayList<>();
        for (int operation = 0; operation < 60_000; operation++) {
            boolean grows = random.nextInt(100) < (operation / 20_000 == 1 ? 30 : 60);
            if (grows || present.isEmpty()) {
                Entry entry = entry(segment, random);
                if (expected.add(entry)) {
                    present.add(entry);
                    set.add(entry.key, entry.block);
                }
            } else {
                Entry entry = present.remove(random.nextInt(present.size()));
                expected.remove(entry);
                set.remove(entry.key, entry.block);
            }
            if (operation % 5000 == 0) {
                check(random);
            }
        }
        check(random);
        while (!present.isEmpty()) {
            Entry entry = present.removeLast();
            set.remove(entry.key, entry.block);
        }
        assertThat(set.size()).isZero();
        assertThat(set.first()).isEqualTo(BlockSet.END);
        assertThat(set.ceiling(0)).isEqualTo(BlockSet.END);
    }

    private Entry entry(Segment segment, Random random) {
        long address = random.nextLong() & -512;
        return new Entry(512L * random.nextInt(300), address, blocks.create(segment, address, 512));
    }

    private void check(Random random) {
        List<Integer> forward = new ArrayList<>();
        for (int position = set.first(); position != BlockSet.END; position = set.next(position)) {
            forward.add(set.at(position));
        }
        List<Integer> backward = new ArrayList<>();
        for (int position = set.last(); position != BlockSet.END; position = set.previous(position)) {
            backward.add(set.at(position));
        }
        assertThat(forward).isEqualTo(expected.stream().map(Entry::block).toList());
        assertThat(backward.reversed()).isEqualTo(forward);
        assertThat(set.size()).isEqualTo(expected.size());
        checkCeiling(512L * random.nextInt(310));
    }

    private void checkCeiling(long key) {
        Entry ceiling = expected.ceiling(new Entry(key, 0, 0));
        int position = set.ceiling(key);
        assertThat(position == BlockSet.END ? null : (Integer) set.at(position))
                .isEqualTo(ceiling == null ? null : (Integer) ceiling.block);
    }
}
