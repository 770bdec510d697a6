package dev.leakline.known;

import dev.leakline.result.Finding.Advice;

/**
 * A remedy for a cause. It has no example in code: lines that nobody wrote are of no use to who wrote others.
 *
 * @param action what, as an order
 * @param why what it changes
 * @param link where this is explained
 */
public record Remedy(String action, String why, String link) {
    /** It as advice that gives back some bytes. */
    public Advice advice(long bytes) {
        return Advice.of(action, why, bytes, "", "", link);
    }
}
