package dev.leakline.conclusion;

import dev.leakline.result.Finding.Advice;
import dev.leakline.text.DataRow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A step that a text calls for by itself: a row of {@code steps.txt}, which explains its form. */
enum KnownStep {
    RECORD,
    ATTACH,
    WHO_KILLED,
    WENT_ON,
    TRIED_LESS,
    SERVES_WITH_LESS,
    RAM,
    SHARED_IN_GROUP,
    POOL_LIMIT,
    MIG,
    EMPTY,
    CUPY_POOL,
    RMM_POOL,
    GROWTH,
    JAX_SHARE,
    JAX_BESIDE,
    AT_LIMIT,
    POOL,
    FITS,
    WHOLE_MODEL,
    BUILT,
    IN_PIECES,
    OWN_TENSORS,
    PASTE,
    LINT,
    NOW,
    FULL,
    AVAILABLE,
    OWN_DEVICE,
    LEFTOVERS,
    CYCLES,
    HEAP;

    private static final Map<String, Advice> TEXTS =
            rows("steps.txt").stream().collect(Collectors.toMap(DataRow::head, KnownStep::advice));

    /** The steps of a file that lies beside this class: a row for each {@code do} with its {@code why}. */
    static List<DataRow> rows(String file) {
        return DataRow.read(KnownStep.class, file, Set.of("why"));
    }

    static Advice advice(DataRow row) {
        return Advice.of(row.says("do"), row.says("why"), 0);
    }

    /** What it says. */
    Advice advice() {
        Advice advice = TEXTS.get(name());
        if (advice == null) {
            throw new IllegalStateException("steps.txt says nothing of " + name());
        }
        return advice;
    }
}
