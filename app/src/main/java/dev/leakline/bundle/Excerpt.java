package dev.leakline.bundle;

import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import dev.leakline.source.lines.LogLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The lines of a text that are about memory, with those around them and whole tracebacks; of a log of gigabytes what a ticket needs. */
final class Excerpt {
    private static final int BEFORE = 2;
    private static final int AFTER = 4;
    /** Characters that are kept: a ticket takes attachments of some megabytes. */
    private static final int MOST = 2 << 20;

    private static final int MOST_OF_LINE = 4000;
    private static final Pattern ABOUT = Pattern.compile(
            "memory|\\bmem\\b|v?ram\\b|\\brss\\b|\\boom|alloc|cuda|hip\\b|\\bxpu|\\bmps\\b|\\bnccl|killed|sigkill|kv cache|\\d ?[kmgt]i?b\\b|\\bshm\\b"
                    + "|out of |exit code|torch|version");
    private static final Pattern FRAME =
            Pattern.compile("^\\s*File \"|^\\s*at [\\w.$]+\\(|^Traceback|^\\[rank\\d+\\]:");

    private final StringBuilder kept = new StringBuilder();
    private final Deque<String> before = new ArrayDeque<>();
    private int after;
    private long left;

    private Excerpt() {}

    /** The excerpt of a file, null where it is no text. */
    static @Nullable String of(Path file) throws IOException {
        try (InputStream stream = Source.open(file)) {
            Source source = Source.of(stream, ReadLimits.DEFAULT);
            return source.head().mayBeText() ? new Excerpt().read(source) : null;
        }
    }

    private String read(Source source) throws IOException {
        LogLines lines = LogLines.of(source);
        while (lines.next() && kept.length() < MOST) {
            if (lines.isStart()) {
                take(text(lines, Math.min(lines.length(), MOST_OF_LINE)));
            }
        }
        gap(left + before.size());
        return kept.toString();
    }

    /** The start of a line, whose bytes are UTF-8 unless they cannot be; a character that is cut is left out. */
    private static String text(LogLines lines, int length) {
        String plain = new String(lines.text(), 0, length);
        if (lines.isUtf16()) {
            return plain;
        }
        CharBuffer text = CharBuffer.allocate(length);
        CoderResult result = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(plain.getBytes(StandardCharsets.ISO_8859_1)), text, false);
        return result.isError() ? plain : text.flip().toString();
    }

    private void take(String line) {
        boolean isAbout = ABOUT.matcher(line.toLowerCase(Locale.ROOT)).find()
                || FRAME.matcher(line).find();
        if (isAbout) {
            gap(left);
            left = 0;
            before.forEach(this::keep);
            before.clear();
            after = AFTER;
        }
        if (isAbout || after-- > 0) {
            keep(line);
        } else {
            before.addLast(line);
            if (before.size() > BEFORE) {
                before.removeFirst();
                left++;
            }
        }
    }

    private void gap(long lines) {
        if (lines > 0) {
            keep("[" + lines + " lines left out]");
        }
    }

    private void keep(String line) {
        kept.append(line).append('\n');
    }
}
