package dev.leakline.cli.common;

import dev.leakline.text.ByteSize;
import java.util.function.LongConsumer;

/** Prints on stderr how much was read, once it takes longer than a second. */
final class Progress implements LongConsumer, AutoCloseable {
    private static final long SECOND = 1_000_000_000;

    private final String name;
    private final boolean isTerminal = Terminal.isTerminal("stderr");
    private final long start = System.nanoTime();
    /** When to speak next: on a terminal, where a line is overwritten, often; in a log ever more rarely. */
    private long next = SECOND;

    private boolean hasSpoken;

    Progress(String name) {
        this.name = name;
    }

    @Override
    public void accept(long bytes) {
        long elapsed = System.nanoTime() - start;
        if (elapsed >= next) {
            next = isTerminal ? elapsed + SECOND / 10 : elapsed * 2;
            hasSpoken = true;
            String text = "reading " + name + ": " + ByteSize.format(bytes) + " in " + elapsed / SECOND + " s";
            Terminal.err().print(isTerminal ? "\r\033[K" + text : text + "\n");
            Terminal.err().flush();
        }
    }

    /** Takes the line away again where it can be. */
    @Override
    public void close() {
        if (hasSpoken && isTerminal) {
            Terminal.err().print("\r\033[K");
            Terminal.err().flush();
        }
    }
}
