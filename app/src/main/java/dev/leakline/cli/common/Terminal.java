package dev.leakline.cli.common;

import dev.leakline.report.terminal.Style;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
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
    private static final int DEFAULT_COLUMNS = 80;

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
                charset(isTerminal(stream), stream + ".encoding").newEncoder().canEncode('█'));
    }

    public static int columns() {
        return Integer.getInteger("leakline.columns", DEFAULT_COLUMNS);
    }

    /** Whether stdout is a terminal whose owner has not asked for plain text (no-color.org). */
    public static boolean hasColor() {
        return hasColor("stdout");
    }

    private static boolean hasColor(String stream) {
        String noColor = System.getenv("NO_COLOR");
        return isTerminal(stream) && (noColor == null || noColor.isEmpty()) && !"dumb".equals(System.getenv("TERM"));
    }

    /** Whether {@code stdout} or {@code stderr} is a terminal. */
    public static boolean isTerminal(String stream) {
        return "tty".equals(System.getProperty("leakline." + stream));
    }

    private static PrintWriter writer(FileDescriptor descriptor, boolean isTerminal, String encoding) {
        FileOutputStream stream = new FileOutputStream(descriptor);
        return new PrintWriter(new OutputStreamWriter(stream, charset(isTerminal, encoding)), true);
    }

    /** Files and pipes get UTF-8, whatever the locale; a terminal gets what it says it shows. */
    private static Charset charset(boolean isTerminal, String encoding) {
        String name = System.getProperty(encoding, "UTF-8").toUpperCase(Locale.ROOT);
        return isTerminal && Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8;
    }
}
