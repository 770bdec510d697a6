package dev.leakline.testkit.snapshot.event;

/** One end of a {@code record_function} range. */
public record Annotation(String name, Stage stage, int device, long timeUs) {}
