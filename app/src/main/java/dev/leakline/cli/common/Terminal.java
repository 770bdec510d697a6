package dev.leakline.cli.common;

import dev.leakline.report.terminal.Style;
import dev.leakline.text.Printable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The output streams and what they can show. The launcher knows whether stdout and stderr are terminals and how wide, and says so in system
 * properties; a program that starts this one without it gets plain text 80 columns wide.
 */
public final class Terminal {
    /** When output is coloured. */
    enum Color {
        AUTO,
        ALWAYS,
        NEVER
    }

    private static volatile Color color = Color.AUTO;

    private static final int DEFAULT_COLUMNS = 80;

    private static final TerminalWriter STDOUT = writer(FileDescriptor.out, "stdout");
    private static final TerminalWriter STDERR = writer(FileDescriptor.err, "stderr");
    private static final PrintWriter OUT = new PrintWriter(STDOUT, true);
    private static final PrintWriter ERR = new PrintWriter(STDERR, true);

    private Terminal() {}

    public static PrintWriter out() {
        return OUT;
    }

    public static PrintWriter err() {
        return ERR;
    }

    /** Prints what only serves as it stands, such as a patch; a terminal, where nobody applies it, gets it made safe. */
    public static void verbatim(String text) {
        OUT.flush();
        if (isTerminal("stdout")) {
            OUT.print(text);
        } else {
            STDOUT.raw(text);
        }
        OUT.flush();
    }

    /** Overwrites the line on stderr that the cursor is in; what is empty takes it away. */
    static void overwrite(String line) {
        ERR.flush();
        STDERR.raw("\r\033[K" + Printable.of(line));
        STDERR.flush();
    }

    /**
     * Asks at the end of a command whether all that it printed was written, and says so where it was not. Whoever closed the pipe has seen
     * enough, as with {@code | head}.
     *
     * @return the exit code: {@code code}, or that of output which is not whole
     */
    public static int finish(int code) {
        OUT.flush();
        IOException failure = STDOUT.failure();
        if (failure == null || isBrokenPipe(failure)) {
            return code;
        }
        ERR.println("leakline: standard output: write error: " + Printable.of(String.valueOf(failure.getMessage())));
        return Failures.UNREADABLE;
    }

    /** Returns whether a write failed since nobody reads any more. */
    public static boolean isBrokenPipe(IOException failure) {
        return "Broken pipe".equals(failure.getMessage());
    }

    /** How a report on stdout may look. */
    public static Style style() {
        return style("stdout");
    }

    /** How a report on stderr may look. */
    public static Style errorStyle() {
        return style("stderr");
    }

    private static Style style(String stream) {
        return new Style(
                columns(),
                hasColor(stream),
                charset(isTerminal(stream), stream + ".encoding").newEncoder().canEncode('█'),
                isTerminal(stream) || System.getProperty("leakline.columns") != null);
    }

    /** Returns whether nothing was written to stdout yet. */
    static boolean isSilent() {
        return !STDOUT.hasWritten();
    }

    public static int columns() {
        return Integer.getInteger("leakline.columns", DEFAULT_COLUMNS);
    }

    /** Returns whether stdout gets colours: a terminal whose owner did not set plain text (no-color.org), or what {@code --color} says. */
    public static boolean hasColor() {
        return hasColor("stdout");
    }

    private static boolean hasColor(String stream) {
        return switch (color) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO ->
                !isSet("NO_COLOR")
                        && (isSet("FORCE_COLOR") || (isTerminal(stream) && !"dumb".equals(System.getenv("TERM"))));
        };
    }

    /** Returns whether an environment variable says yes; of {@code FORCE_COLOR}, 0 says no. */
    private static boolean isSet(String name) {
        String value = System.getenv(name);
        return value != null && !value.isEmpty() && !(name.equals("FORCE_COLOR") && value.equals("0"));
    }

    /** Chooses when output is coloured, which else the terminal and the environment decide. */
    static void color(Color chosen) {
        color = chosen;
    }

    /** Returns whether {@code stdout} or {@code stderr} is a terminal. */
    public static boolean isTerminal(String stream) {
        return "tty".equals(System.getProperty("leakline." + stream));
    }

    private static TerminalWriter writer(FileDescriptor descriptor, String stream) {
        return new TerminalWriter(
                new FileOutputStream(descriptor),
                charset(isTerminal(stream), stream + ".encoding"),
                () -> hasColor(stream));
    }

    /** Files and pipes get UTF-8, whatever the locale; a terminal gets what it says it shows. */
    private static Charset charset(boolean isTerminal, String encoding) {
        String name = System.getProperty(encoding, "UTF-8").toUpperCase(Locale.ROOT);
        return isTerminal && Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8;
    }
}
