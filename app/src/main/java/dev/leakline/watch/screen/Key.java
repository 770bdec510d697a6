package dev.leakline.watch.screen;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A key that was pressed.
 *
 * @param character what it writes; 0 unless the kind is {@link Kind#CHARACTER}
 */
record Key(Kind kind, char character) {
    /** Keys that mean something. */
    enum Kind {
        CHARACTER,
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        ENTER,
        BACKSPACE,
        ESCAPE,
        /** Control and L: what was drawn may be damaged. */
        REDRAW
    }

    /** Where the characters of a terminal come from. */
    interface Input {
        /** There is no more. */
        int END = -1;
        /** There was none in time. */
        int NONE = -2;

        /** The next character, {@link #END} or {@link #NONE}; waits as long as it takes where {@code millis} is 0. */
        int read(long millis) throws IOException;
    }

    private static final int ESC = 27;
    private static final int DELETE = 127;
    /** The rest of a key's sequence is there at once, also over a slow line; a person takes longer. */
    private static final long SEQUENCE_MILLIS = 50;
    /** No terminal sends longer ones; what does is no key. */
    private static final int LONGEST = 16;
    /** Sequences behind {@code ESC [} or {@code ESC O}: by xterm, the Linux console, tmux and rxvt. */
    private static final Map<String, Kind> SEQUENCES = Map.ofEntries(
            Map.entry("A", Kind.UP),
            Map.entry("B", Kind.DOWN),
            Map.entry("H", Kind.HOME),
            Map.entry("F", Kind.END),
            Map.entry("M", Kind.ENTER),
            Map.entry("1~", Kind.HOME),
            Map.entry("4~", Kind.END),
            Map.entry("5~", Kind.PAGE_UP),
            Map.entry("6~", Kind.PAGE_DOWN),
            Map.entry("7~", Kind.HOME),
            Map.entry("8~", Kind.END));

    static Key of(Kind kind) {
        return new Key(kind, '\0');
    }

    /** Waits for the next key that means something; null at the end of the input. */
    static @Nullable Key read(Input input) throws IOException {
        for (int c; (c = input.read(0)) != Input.END; ) {
            Key key = c == ESC ? sequence(input) : plain(c);
            if (key != null) {
                return key;
            }
        }
        return null;
    }

    private static @Nullable Key plain(int c) {
        return switch (c) {
            case '\r', '\n' -> of(Kind.ENTER);
            case '\b', DELETE -> of(Kind.BACKSPACE);
            case '\f' -> of(Kind.REDRAW);
            default -> c < ' ' ? null : new Key(Kind.CHARACTER, (char) c);
        };
    }

    private static @Nullable Key sequence(Input input) throws IOException {
        int first = input.read(SEQUENCE_MILLIS);
        if (first != '[' && first != 'O') {
            return of(Kind.ESCAPE);
        }
        StringBuilder rest = new StringBuilder();
        for (int c; rest.length() < LONGEST && (c = input.read(SEQUENCE_MILLIS)) >= 0; ) {
            rest.append((char) c);
            if (c >= '@') {
                break;
            }
        }
        Kind kind = SEQUENCES.get(rest.toString());
        return kind == null ? null : of(kind);
    }
}
