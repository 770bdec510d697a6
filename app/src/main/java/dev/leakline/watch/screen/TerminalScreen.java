package dev.leakline.watch.screen;

import dev.leakline.report.terminal.Style;
import dev.leakline.watch.Overview;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;
import org.jspecify.annotations.Nullable;

/**
 * The terminal that a watch is drawn on, until somebody quits. Overviews come from one thread and keys from another; both draw, one at a time.
 * However the program ends, short of being killed, the terminal is as it was before.
 */
public final class TerminalScreen implements Consumer<Overview>, AutoCloseable {
    private final Terminal terminal;
    private final Attributes before;
    private final Display display;
    private final Style style;
    private final Runnable quit;
    private final LongConsumer deep;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread closer =
            Thread.ofPlatform().name("leakline-screen-end").unstarted(this::close);
    private Overview newest = Overview.EMPTY;
    /** The one that is drawn, an older one while somebody pauses. */
    private Overview overview = Overview.EMPTY;

    private ScreenState state = ScreenState.FIRST;
    /** The message in the last line, if any. */
    private String note = "";

    /** To ask for it costs a process. */
    private Size size;

    private boolean isClosed;

    private TerminalScreen(Terminal terminal, Style style, Runnable quit, LongConsumer deep) {
        this.terminal = terminal;
        this.style = style;
        this.quit = quit;
        this.deep = deep;
        this.size = terminal.getSize();
        this.display = new Display(terminal, true);
        this.before = terminal.enterRawMode();
    }

    /**
     * Takes the terminal over; null where stdin or stdout is none, or it cannot place text.
     *
     * @param quit is run by another thread when somebody has had enough
     * @param deep is given the number of a process that somebody wants to be looked into
     */
    public static @Nullable TerminalScreen open(Style style, Runnable quit, LongConsumer deep) {
        // Whoever sees no Unicode gets plain ASCII; the alternate character set draws letters where it is not known.
        System.setProperty(TerminalBuilder.PROP_DISABLE_ALTERNATE_CHARSET, "true");
        Terminal terminal;
        try {
            // By stty, which restores all settings; the ways of other providers lose the speed of a line. Signals stay
            // ours: JLine's default
            // would end the program at once, with the terminal as it is.
            terminal = TerminalBuilder.builder()
                    .system(true)
                    .provider("exec")
                    .dumb(false)
                    .nativeSignals(false)
                    .build();
        } catch (IOException | IllegalStateException e) {
            return null;
        }
        TerminalScreen screen = new TerminalScreen(terminal, style, quit, deep);
        screen.start();
        return screen;
    }

    private void start() {
        Runtime.getRuntime().addShutdownHook(closer);
        Attributes raw = terminal.getAttributes();
        // Suspended, it would leave the shell a screen of its own.
        raw.setControlChar(ControlChar.VSUSP, 0);
        terminal.setAttributes(raw);
        terminal.puts(Capability.enter_ca_mode);
        terminal.puts(Capability.cursor_invisible);
        terminal.handle(Terminal.Signal.WINCH, _ -> resize());
        draw(true);
        Thread.ofPlatform().daemon().name("leakline-keys").start(this::readKeys);
    }

    @Override
    public synchronized void accept(Overview next) {
        newest = next;
        if (!state.isPaused()) {
            overview = newest;
            draw(false);
        }
    }

    /** Waits until somebody quits. */
    public void await() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void readKeys() {
        NonBlockingReader reader = terminal.reader();
        try {
            for (Key key; !state().isQuit() && (key = Key.read(reader::read)) != null; ) {
                press(key);
            }
        } catch (IOException e) {
            // The terminal has gone.
        }
        over.countDown();
        quit.run();
    }

    private synchronized ScreenState state() {
        return state;
    }

    /** Says something in the last line, until the next key. */
    public synchronized void say(String text) {
        note = text;
        draw(false);
    }

    private synchronized void press(Key key) {
        List<Overview.Row> shown = state.shown(overview);
        note = "";
        if (state.isDeep(key) && !shown.isEmpty()) {
            deep.accept(shown.get(state.selected(shown)).pid());
        }
        state = state.press(key, shown, Drawing.processes(size.getRows()));
        overview = state.isPaused() ? overview : newest;
        draw(key.kind() == Key.Kind.REDRAW);
    }

    private synchronized void resize() {
        if (!isClosed) {
            size = terminal.getSize();
            draw(true);
        }
    }

    private synchronized void draw(boolean isAnew) {
        if (isClosed) {
            return;
        }
        Style now = new Style(size.getColumns(), style.hasColor(), style.isUnicode());
        List<AttributedString> lines = new ArrayList<>();
        for (String line : Drawing.of(overview, state, now, size.getRows())) {
            lines.add(AttributedString.fromAnsi(line).columnSubSequence(0, size.getColumns()));
        }
        if (!note.isEmpty()) {
            lines.set(lines.size() - 1, new AttributedString(note).columnSubSequence(0, size.getColumns()));
        }
        if (isAnew) {
            display.clear();
        }
        display.resize(size.getRows(), size.getColumns());
        display.update(lines, 0);
    }

    /** Gives the terminal back, as it was. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        // Some leave parts of it on the other screen when their size was changed meanwhile.
        terminal.puts(Capability.clear_screen);
        terminal.puts(Capability.cursor_visible);
        terminal.puts(Capability.exit_ca_mode);
        terminal.flush();
        terminal.setAttributes(before);
        over.countDown();
        try {
            terminal.close();
            Runtime.getRuntime().removeShutdownHook(closer);
        } catch (IOException | IllegalStateException e) {
            // It has gone, or the program is ending anyway.
        }
    }
}
