package dev.leakline.testkit.snapshot;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is done in whatever order, the books are right. */
class RandomWalkTest {
    private static final int STEPS = 2000;

    private final SnapshotBuilder builder = snapshot().devices(2);
    private final List<String> live = new ArrayList<>();
    private final List<String> pending = new ArrayList<>();
    private int keys;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void segmentsAgreeWithEvents(long seed) {
        Random random = new Random(seed);
        if (seed % 2 == 0) {
            builder.expandableSegments();
        }
        for (int i = 0; i < STEPS; i++) {
            step(random);
        }
        Books.check(builder.build());
    }

    private void step(Random random) {
        builder.device(0).stream(random.nextInt(2) * 0x55_0000_1000L).pool(0, random.nextInt(10) / 9);
        int choice = random.nextInt(100);
        if (choice < 50 || live.isEmpty()) {
            allocate(random);
        } else if (choice < 90) {
            builder.free(live.remove(random.nextInt(live.size())));
        } else if (choice < 95) {
            requestFree(live.remove(random.nextInt(live.size())));
        } else if (choice < 97 && !pending.isEmpty()) {
            builder.complete(pending.remove(random.nextInt(pending.size())));
        } else if (choice == 99) {
            builder.emptyCache();
            pending.clear();
        }
    }

    private void allocate(Random random) {
        String key = "key" + keys++;
        long size = 1 + (long) Math.pow(2, random.nextDouble() * 27);
        builder.alloc(key, size, "train.py:" + (1 + random.nextInt(9)) + " step");
        live.add(key);
    }

    private void requestFree(String key) {
        builder.requestFree(key);
        pending.add(key);
    }
}
