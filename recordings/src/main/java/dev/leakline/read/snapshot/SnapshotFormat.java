package dev.leakline.read.snapshot;

import dev.leakline.source.ByteWindow;
import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.Head;
import dev.leakline.source.ReadAhead;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Memory snapshots of torch 1.13 to 2.14, whatever wrote them: pickles of protocol 0 to 5 by Python or by PyTorch's C++ writer, JSON of the
 * same, and the pickle in a page that memory_viz makes.
 *
 * <p>Nothing in a file is executed. Memory grows with distinct stacks and, at a few bytes each, with events.
 */
public final class SnapshotFormat implements Format {
    private static final Pattern FIRST_KEY = Pattern.compile("^[\\s\\ufeff]*[\\[{][\\s\\[{]*\"([a-z_]{1,40})\"");

    private final ReadLimits limits;
    private final LongConsumer progress;

    /** A format that tells {@code progress} now and then how many uncompressed bytes it has come to. */
    public SnapshotFormat(ReadLimits limits, LongConsumer progress) {
        this.limits = limits;
        this.progress = progress;
    }

    @Override
    public boolean claims(Source source) {
        Head head = source.head();
        return switch (head.firstInk()) {
            case 0x80 -> true;
            case '{', '[' -> isOwnJson(head.text());
            case '(', ']', '}' -> isOldPickle(head);
            default -> false;
        };
    }

    /** A line of a log may begin like JSON, with a rank or a time, or be JSON; a snapshot begins with one of its own keys, or has none. */
    private static boolean isOwnJson(String text) {
        Matcher first = FIRST_KEY.matcher(text);
        boolean isEmpty = text.strip().equals("{}") || text.strip().equals("[]");
        return isEmpty || (first.find() && Vocabulary.isKey(first.group(1)));
    }

    /** Returns whether what begins with a bracket or a brace is an old pickle; logs begin so too, with the name of whoever speaks. */
    private static boolean isOldPickle(Head head) {
        return head.text().startsWith("(d") || head.text().startsWith("(l") || head.hasControls();
    }

    @Override
    public Content.Recording read(Source source) throws IOException {
        return source.head().isBracketed() ? readJson(source) : readPickle(source.stream(), "", source);
    }

    /** Reads the pickle that a page carries; {@code page} is the page around it. */
    public Content.Recording readPage(InputStream data, Source page) throws IOException {
        return readPickle(data, " in a memory_viz page", page);
    }

    private Content.Recording readPickle(InputStream stream, String where, Source source) throws IOException {
        Assembler assembler = new Assembler(limits);
        try (ReadAhead ahead = new ReadAhead(stream)) {
            ByteWindow window = new ByteWindow(ahead, progress);
            PickleMachine machine = new PickleMachine(window, assembler, limits);
            ReadException truncation = run(machine::run, assembler);
            return file(
                    assembler, "pickle protocol " + machine.protocol() + where, source, window.offset(), truncation);
        }
    }

    private Content.Recording readJson(Source source) throws IOException {
        Assembler assembler = new Assembler(limits);
        JsonMachine machine = new JsonMachine(source.stream(), assembler, limits);
        ReadException truncation = run(machine::run, assembler);
        return file(assembler, "JSON", source, machine.offset(), truncation);
    }

    private static Content.Recording file(
            Assembler assembler, String format, Source source, long bytes, @Nullable ReadException truncation)
            throws ReadException {
        return new Content.Recording(assembler.finish(), source.format(format), bytes, truncation);
    }

    /** Runs a machine; where the input ends too early, keeps what was whole, provided that there is anything. */
    private static @Nullable ReadException run(Machine machine, Assembler assembler) throws IOException {
        try {
            machine.run();
            return null;
        } catch (ReadException e) {
            if (e.code() != Code.TRUNCATED || assembler.rowsRead() == 0) {
                throw e;
            }
            return salvage(assembler, e);
        }
    }

    private static ReadException salvage(Assembler assembler, ReadException truncation) throws ReadException {
        try {
            new Salvage(assembler).closeAll();
            return truncation;
        } catch (ReadException e) {
            throw truncation;
        }
    }

    /** A reader that feeds an assembler. */
    private interface Machine {
        void run() throws IOException;
    }
}
