package dev.leakline.testkit.snapshot;

/**
 * The thread's state that an event takes along.
 *
 * @param timeUs Unix microseconds
 */
record Scene(long timeUs, String compileContext, String metadata) {}
