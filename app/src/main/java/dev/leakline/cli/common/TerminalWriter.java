package dev.leakline.cli.common;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where all text leaves this program. Whatever a command prints, nothing of it drives the terminal, save its colours, or the runner of a CI
 * system that reads commands from what a step prints: such characters become visible, as in {@code \}{@code u001b}, which JSON reads as what it
 * was. A write that failed is remembered, as {@link java.io.PrintWriter} says nothing of it.
 */
final class TerminalWriter extends Writer {
    /** A colour of {@link dev.leakline.report.terminal.Style} or picocli. */
    private static final Pattern COLOR = Pattern.compile("\u001b\\[[\\d;]{0,16}m");
    /** Commands that Azure Pipelines, TeamCity and older runners of GitHub take anywhere in a line. */
    private static final Pattern COMMAND = Pattern.compile("##(?=(?:vso|teamcity)?\\[)");

    private final Writer out;
    private final BooleanSupplier isColored;
    /** True while the line has only blanks: there {@code ::} begins a command of GitHub's runner. */
    private boolean isAtStart = true;

    private @Nullable IOException failure;
    private boolean hasWritten;

    TerminalWriter(OutputStream out, Charset charset, BooleanSupplier isColored) {
        this.out = new OutputStreamWriter(out, charset);
        this.isColored = isColored;
    }

    /** The first write that failed, or null. */
    synchronized @Nullable IOException failure() {
        return failure;
    }

    /** Returns whether any text was printed. */
    synchronized boolean hasWritten() {
        return hasWritten;
    }

    @Override
    public void write(char[] text, int offset, int length) {
        write(new String(text, offset, length));
    }

    @Override
    public void write(String text, int offset, int length) {
        write(text.substring(offset, offset + length));
    }

    @Override
    public synchronized void write(String given) {
        String text = given.contains("##") ? COMMAND.matcher(given).replaceAll("#\\\\u0023") : given;
        StringBuilder safe = new StringBuilder(text.length() + 16);
        int i = 0;
        while (i < text.length()) {
            int color = text.charAt(i) == '\u001b' ? color(text, i) : 0;
            if (color > 0) {
                safe.append(text, i, i + color);
            } else {
                append(safe, text, i);
            }
            i += Math.max(color, 1);
        }
        raw(safe.toString());
    }

    private int color(String text, int at) {
        Matcher matcher = COLOR.matcher(text).region(at, text.length());
        return isColored.getAsBoolean() && matcher.lookingAt() ? matcher.end() - at : 0;
    }

    private void append(StringBuilder safe, String text, int at) {
        char c = text.charAt(at);
        boolean isCommand = isAtStart && c == ':' && text.startsWith("::", at);
        if (isCommand || (drives(c) && !text.startsWith("\r\n", at))) {
            safe.append("\\u%04x".formatted((int) c));
        } else {
            safe.append(c);
        }
        isAtStart = c == '\n' || (isAtStart && Character.isWhitespace(c));
    }

    private static boolean drives(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL -> c != '\n' && c != '\t';
            case Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    /** Writes what this program itself made to move the cursor. */
    synchronized void raw(String text) {
        hasWritten |= !text.isEmpty();
        attempt(() -> out.write(text));
    }

    @Override
    public synchronized void flush() {
        attempt(out::flush);
    }

    private void attempt(Step step) {
        try {
            step.go();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
    }

    /** A write. */
    private interface Step {
        void go() throws IOException;
    }

    /** The stream is the process's and stays open. */
    @Override
    public void close() {
        flush();
    }
}
