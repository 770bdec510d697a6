package dev.leakline.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.functions.Balance.Kept;
import dev.leakline.functions.CallTimeline.Part;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BalanceTest {
    private final Map<Part, Long> moved = new LinkedHashMap<>();

    @Test
    void theSameAmountIsGivenBack() {
        move("data", 48);
        move("forward", 900);
        move("log", 4);
        move("backward", -900);
        move("release", -48);
        List<Kept> kept = Balance.of(moved);
        assertThat(kept).extracting(one -> one.part().function()).containsExactly("log", "data", "forward");
        assertThat(kept).extracting(Kept::kept).containsExactly(4L, 0L, 0L);
        assertThat(kept.getLast().giver()).isEqualTo(part("backward"));
    }

    @Test
    void oneGivesBackWhatSeveralTook() {
        move("data", 48);
        move("forward", 900);
        move("backward", -948);
        assertThat(Balance.of(moved)).extracting(Kept::kept).containsExactly(0L, 0L);
    }

    @Test
    void severalGiveBackWhatOneTook() {
        move("forward", 900);
        move("backward", -500);
        move("zero_grad", -396);
        assertThat(Balance.of(moved)).singleElement().satisfies(kept -> {
            assertThat(kept.kept()).isEqualTo(4);
            assertThat(kept.taken()).isEqualTo(900);
            assertThat(kept.giver()).isEqualTo(part("backward"));
        });
    }

    @Test
    void whatWasThereBeforeCanBeGivenBackToo() {
        move("forward", 100);
        move("drop", -500);
        assertThat(Balance.of(moved)).extracting(Kept::kept).containsExactly(0L);
    }

    /** Whoever is named, together they keep what is more in the end. */
    @Test
    void nothingIsLostOrAdded() {
        Random random = new Random(42);
        for (int run = 0; run < 1_000; run++) {
            moved.clear();
            for (int part = 0; part < 1 + random.nextInt(12); part++) {
                move("f" + part, random.nextInt(-20, 40));
            }
            long sum = moved.values().stream().mapToLong(Long::longValue).sum();
            long kept = Balance.of(moved).stream().mapToLong(Kept::kept).sum();
            assertThat(kept).isEqualTo(Math.max(sum, 0));
        }
    }

    private void move(String function, long bytes) {
        moved.put(part(function), bytes);
    }

    private static Part part(String function) {
        return new Part(function, false);
    }
}
