package dev.leakline.read.trace;

import dev.leakline.source.ReadLimits;

/**
 * The most that is taken from a profiler's trace, whatever it holds; see {@link ReadLimits}.
 *
 * @param events memory events; each takes some thirty bytes, and a trace of 2 GB has a million
 * @param ranges calls, operators and marked ranges; each takes some thirty bytes, and a trace of 2 GB has six million
 * @param threads threads; no process has as many
 * @param depth calls that are open at once in a thread; Python stops its own at a thousand
 * @param stackFrames frames of all distinct stacks together, of which a trace, other than a snapshot, does not hold each
 */
public record TraceLimits(int events, int ranges, int threads, int depth, int stackFrames) {
    /** The limits that commands use. */
    public static final TraceLimits DEFAULT = new TraceLimits(256 << 20, 256 << 20, 1 << 16, 1 << 13, 64 << 20);
}
