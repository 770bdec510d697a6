package dev.leakline.web.jdk.util;

import java.util.Random;

/** {@code java.util.SplittableRandom}, as far as it is used: seeded by the browser. */
public final class SplittableRandom {
    private final Random random = new Random();

    public long nextLong() {
        return random.nextLong();
    }
}
