package dev.leakline.testkit.snapshot.event;

/** The end of a {@code record_function} range that an annotation marks. */
public enum Stage {
    START,
    END
}
