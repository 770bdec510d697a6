package dev.leakline.cli.common;

import dev.leakline.text.ByteSize;
import java.util.function.LongConsumer;

/** Prints on stderr how much was read, once it takes longer than a second. */
public final class Progress implements LongConsumer, AutoCloseable {
    private static final long SECOND = 1_000_000_000;

    private final String name;
    private final boolean isTerminal = Terminal.isTerminal("stderr");
    private final long start = System.nanoTime();
    /** When to speak next: on a terminal, where a line is overwritten, often; in a log ever more rarely. */
    private long next = SECOND;

    private boolean hasSpoken;

    /** Progress of reading a file of a name. */
    public Progress(String name) {
        this.name = name;
    }

    @Override
    public void accept(long bytes) {
        long elapsed = System.nanoTime() - start;
        if (elapsed >= next) {
            next = isTerminal ? elapsed + SECOND / 10 : elapsed * 2;
            hasSpoken = true;
            String text = "reading " + name + ": " + ByteSize.format(bytes) + " in " + elapsed / SECOND + " s";
            if (isTerminal) {
                Terminal.overwrite(text);
            } else {
                Terminal.err().println(text);
            }
        }
    }

    /** Takes the line away again where it can be. */
    @Override
    public void close() {
        if (hasSpoken && isTerminal) {
            Terminal.overwrite("");
        }
    }
}
