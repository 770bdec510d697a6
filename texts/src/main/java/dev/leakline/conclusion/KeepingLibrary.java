package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.source.Clue.Kind;
import java.util.List;

/** A library that keeps freed memory for its own next request. */
enum KeepingLibrary {
    PYTORCH("PyTorch", KnownStep.EMPTY),
    CUPY("CuPy's pool", KnownStep.CUPY_POOL),
    RMM("RMM's pool", KnownStep.RMM_POOL),
    TENSORFLOW("TensorFlow", KnownStep.GROWTH),
    JAX("JAX", KnownStep.JAX_SHARE);

    /** Those of which a text has a mark by the same name. */
    private static final List<KeepingLibrary> MARKED = List.of(CUPY, RMM, TENSORFLOW, JAX);

    private final String title;
    private final KnownStep step;

    KeepingLibrary(String title, KnownStep step) {
        this.title = title;
        this.step = step;
    }

    /** The first of the marked ones that a text names; PyTorch where it names none. */
    static KeepingLibrary of(CaseTexts texts) {
        return MARKED.stream()
                .filter(library -> texts.has(Kind.valueOf(library.name())))
                .findFirst()
                .orElse(PYTORCH);
    }

    /** Its name in sentences. */
    String title() {
        return title;
    }

    /** How to make it give memory back. */
    KnownStep step() {
        return step;
    }
}
