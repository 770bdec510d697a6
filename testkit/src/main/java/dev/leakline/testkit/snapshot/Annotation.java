package dev.leakline.testkit.snapshot;

/** One end of a {@code record_function} range. */
record Annotation(String name, Stage stage, int device, long timeUs) {}
