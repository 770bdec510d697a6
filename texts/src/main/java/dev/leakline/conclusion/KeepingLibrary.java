package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import java.util.List;

/** A library that keeps freed memory for its own next request. */
enum KeepingLibrary {
    PYTORCH("PyTorch", "empty"),
    CUPY("CuPy's pool", "cupy-pool"),
    RMM("RMM's pool", "rmm-pool"),
    TENSORFLOW("TensorFlow", "growth"),
    JAX("JAX", "jax-share");

    /** Libraries that have a mark of the same name in texts. */
    private static final List<KeepingLibrary> MARKED = List.of(CUPY, RMM, TENSORFLOW, JAX);

    private final String title;
    private final String step;

    KeepingLibrary(String title, String step) {
        this.title = title;
        this.step = step;
    }

    /** The first of the marked ones that a text names; PyTorch where it names none. */
    static KeepingLibrary of(CaseTexts texts) {
        return MARKED.stream()
                .filter(library -> texts.has(library.name()))
                .findFirst()
                .orElse(PYTORCH);
    }

    /** Its name in sentences. */
    String title() {
        return title;
    }

    /** How to make it give memory back. */
    String step() {
        return step;
    }
}
