package dev.leakline.source.lines;

import java.io.IOException;

/** Where characters come from. */
@FunctionalInterface
interface CharacterInput {
    /** Reads some, at most {@code most}, to a place of a buffer; how many there were, -1 behind the last. */
    int read(char[] buffer, int from, int most) throws IOException;
}
