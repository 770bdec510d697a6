package dev.leakline;

import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.Use;
import dev.leakline.testkit.snapshot.SnapshotBuilder;

/** What is said of a made-up recording's peak, by use. */
final class Uses {
    private Uses() {}

    /** The bytes of a category. */
    static long bytes(SnapshotBuilder recording, Category category) {
        return Analysed.recording(recording).devices().getFirst().peak().byCategory().stream()
                .filter(use -> use.category() == category)
                .mapToLong(Use::bytes)
                .sum();
    }
}
