package dev.leakline.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StackTableTest {
    @Test
    void theEmptyStackIsNumberZero() {
        StackTable table = new StackTable();
        assertThat(table.intern(new int[] {7, 8}, 0)).isEqualTo(StackTable.NONE);
        assertThat(table.depth(StackTable.NONE)).isZero();
        assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void whatGoesInComesOutUnderOneNumber() {
        qt().withFixedSeed(7)
                .withExamples(200)
                .forAll(lists().of(lists().of(integers().between(0, 3)).ofSizeBetween(0, 6))
                        .ofSizeBetween(0, 120))
                .checkAssert(StackTableTest::checkRoundTrip);
    }

    private static void checkRoundTrip(List<List<Integer>> stacks) {
        StackTable table = new StackTable();
        Map<List<Integer>, Integer> numbers = new HashMap<>(Map.of(List.of(), 0));
        for (List<Integer> stack : stacks) {
            int[] frames = stack.stream().mapToInt(Integer::intValue).toArray();
            Integer known = numbers.putIfAbsent(stack, numbers.size());
            int number = table.intern(frames, frames.length);
            assertThat(number).isEqualTo(known == null ? numbers.size() - 1 : known);
        }
        numbers.forEach((stack, number) -> assertThat(frames(table, number)).isEqualTo(stack));
        assertThat(table.size()).isEqualTo(numbers.size());
    }

    private static List<Integer> frames(StackTable table, int stack) {
        List<Integer> frames = new ArrayList<>();
        for (int depth = 0; depth < table.depth(stack); depth++) {
            frames.add(table.frame(stack, depth));
        }
        return frames;
    }

    @Test
    void theTableGrowsAndCopies() {
        StackTable table = new StackTable();
        for (int i = 1; i <= 30_000; i++) {
            assertThat(table.intern(new int[] {i, i / 2, 5, 99}, 3)).isEqualTo(i);
        }
        int[] target = new int[5];
        assertThat(table.copy(20_001, target)).isEqualTo(3);
        assertThat(target).containsExactly(20_001, 10_000, 5, 0, 0);
    }
}
