package dev.leakline.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PairNumberingTest {
    private record Pair(int first, int second) {}

    @Test
    void pairsAreNumberedInTheOrderInWhichTheyFirstCome() {
        PairNumbering numbers = new PairNumbering();
        Map<Pair, Integer> expected = new HashMap<>();
        Random random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            Pair pair = new Pair(random.nextInt(-1, 60), random.nextInt(-1, 60));
            expected.putIfAbsent(pair, expected.size());
            assertThat(numbers.of(pair.first, pair.second)).isEqualTo(expected.get(pair));
        }
        expected.forEach((pair, number) -> {
            assertThat(numbers.first(number)).isEqualTo(pair.first);
            assertThat(numbers.second(number)).isEqualTo(pair.second);
        });
        assertThat(numbers.size()).isEqualTo(expected.size());
    }

    @Test
    void toLookForAPairDoesNotNumberIt() {
        PairNumbering numbers = new PairNumbering();
        assertThat(numbers.find(-1, 7)).isEqualTo(PairNumbering.NONE);
        assertThat(numbers.of(-1, 7)).isZero();
        assertThat(numbers.find(-1, 7)).isZero();
        assertThat(numbers.find(7, -1)).isEqualTo(PairNumbering.NONE);
    }
}
