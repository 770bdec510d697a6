package dev.leakline.testkit.snapshot.event;

/**
 * The thread's state that an event takes along.
 *
 * @param timeUs Unix microseconds
 */
public record Scene(long timeUs, String compileContext, String metadata) {}
