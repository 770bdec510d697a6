package dev.leakline.cli.common;

import dev.leakline.report.terminal.Style;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
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

    private static volatile boolean hasWritten;

    private static final PrintWriter OUT = writer(FileDescriptor.out, isTerminal("stdout"), "stdout.encoding");
    private static final PrintWriter ERR = writer(FileDescriptor.err, isTerminal("stderr"), "stderr.encoding");

    private Terminal() {}

    public static PrintWriter out() {
        return OUT;
    }

    public static PrintWriter err() {
        return ERR;
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

    /** Whether nothing was written to stdout yet. */
    static boolean isSilent() {
        return !hasWritten;
    }

    public static int columns() {
        return Integer.getInteger("leakline.columns", DEFAULT_COLUMNS);
    }

    /** Whether stdout gets colours: a terminal whose owner did not set plain text (no-color.org), or what {@code --color} says. */
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

    /** Whether an environment variable says yes; of {@code FORCE_COLOR}, 0 says no. */
    private static boolean isSet(String name) {
        String value = System.getenv(name);
        return value != null && !value.isEmpty() && !(name.equals("FORCE_COLOR") && value.equals("0"));
    }

    /** Chooses when output is coloured, which else the terminal and the environment decide. */
    static void color(Color chosen) {
        color = chosen;
    }

    /** Whether {@code stdout} or {@code stderr} is a terminal. */
    public static boolean isTerminal(String stream) {
        return "tty".equals(System.getProperty("leakline." + stream));
    }

    private static PrintWriter writer(FileDescriptor descriptor, boolean isTerminal, String encoding) {
        FileOutputStream stream = new FileOutputStream(descriptor) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (descriptor == FileDescriptor.out) {
                    hasWritten = true;
                }
                super.write(bytes, offset, length);
            }
        };
        return new PrintWriter(new OutputStreamWriter(stream, charset(isTerminal, encoding)), true);
    }

    /** Files and pipes get UTF-8, whatever the locale; a terminal gets what it says it shows. */
    private static Charset charset(boolean isTerminal, String encoding) {
        String name = System.getProperty(encoding, "UTF-8").toUpperCase(Locale.ROOT);
        return isTerminal && Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8;
    }
}
