package dev.leakline.read;

import dev.leakline.columns.Measurements;
import dev.leakline.read.clue.ClueFinder;
import dev.leakline.read.clue.UnreadLines;
import dev.leakline.read.figures.FigureFormat;
import dev.leakline.read.figures.FigureInput;
import dev.leakline.read.figures.LinePattern;
import dev.leakline.read.log.MessageFinder;
import dev.leakline.result.OutOfMemoryLog.Found;
import dev.leakline.source.Clue;
import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.FoundMessages;
import dev.leakline.source.Head;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import dev.leakline.source.lines.FormMemo;
import dev.leakline.source.lines.LogLines;
import dev.leakline.source.lines.Speaker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Any text: logs, tables, what somebody pasted. Its lines are read once; figures of memory and messages about memory that ran out are looked
 * for in each. In UTF-8, UTF-16 behind a byte order mark as PowerShell writes it, or anything else that holds ASCII.
 */
final class TextFormat implements Format {
    /** How often to tell how far reading has come, in pieces of lines. */
    private static final int PIECES_PER_REPORT = 1 << 12;

    private final ReadLimits limits;
    private final LongConsumer progress;
    private final @Nullable LinePattern pattern;

    /** Texts in which figures are what {@code pattern} finds, where it is not null. */
    TextFormat(ReadLimits limits, LongConsumer progress, @Nullable LinePattern pattern) {
        this.limits = limits;
        this.progress = progress;
        this.pattern = pattern;
    }

    @Override
    public boolean claims(Source source) throws IOException {
        Head head = source.head();
        if (head.isBracketed()) {
            return FigureFormat.isText(source);
        }
        boolean isUtf16 = !head.charset().equals(StandardCharsets.ISO_8859_1);
        return isUtf16 || (head.firstInk() >= ' ' && !head.hasControls());
    }

    /** Reads a text of any kind; one that says nothing about memory is no error. */
    Content.Figures readAnything(Source source) throws IOException {
        return new Pass(source, new FigureInput(limits, progress, pattern)).run();
    }

    @Override
    public Content.Figures read(Source source) throws IOException {
        Content.Figures content = readAnything(source);
        if (!content.isEvidence()) {
            throw FigureFormat.nothing(source.head());
        }
        return content;
    }

    /** Looks for messages alone; what holds none is no error. */
    Content.Figures readMessages(Source source) throws IOException {
        Content.Figures content = new Pass(source, null).run();
        boolean isEmpty =
                content.messages() == null || content.messages().found().isEmpty();
        if (isEmpty && source.head().hasControls()) {
            throw new ReadException(
                    Code.NOT_A_SNAPSHOT,
                    0,
                    "neither a memory snapshot nor text: " + source.head().firstBytes());
        }
        return content;
    }

    /** One text. */
    private final class Pass {
        private final Source source;
        private final @Nullable FigureInput figures;
        private final LogLines lines;
        private final MessageFinder messages;
        private final FormMemo<Speaker> unmarked = new FormMemo<>();
        private final ClueFinder clues = new ClueFinder();
        private final UnreadLines unread = new UnreadLines();
        private final OwnOutput own = new OwnOutput();

        Pass(Source source, @Nullable FigureInput figures) {
            this.source = source;
            this.figures = figures;
            this.lines = LogLines.of(source);
            this.messages = new MessageFinder(lines, limits.messagesOfLine());
        }

        Content.Figures run() throws IOException {
            ReadException truncation = null;
            try {
                for (long pieces = 1; lines.next(); pieces++) {
                    take();
                    if (pieces % PIECES_PER_REPORT == 0) {
                        progress.accept(lines.position());
                    }
                }
            } catch (IOException e) {
                truncation = ReadException.explain(e, lines.position());
                if (lines.position() == 0 || truncation.code() == Code.LIMIT) {
                    throw truncation;
                }
            }
            return content(messages.finish(), truncation);
        }

        private void take() throws IOException {
            if (own.takes(lines)) {
                return;
            }
            long whole = lines.form();
            Speaker mark = lines.isStart() ? mark(whole) : Speaker.NOBODY;
            long form = lines.form(mark.end());
            messages.take(mark, whole, form);
            clues.take(lines);
            if (figures != null) {
                long found = figures.found();
                figures.take(lines, mark, form);
                unread.take(lines, whole, figures.found() > found);
            }
        }

        /** The speaker; nobody where a line of the same form had none. */
        private Speaker mark(long form) {
            if (unmarked.get(form) != null) {
                return Speaker.NOBODY;
            }
            Speaker mark = Speaker.of(lines.text(), lines.length());
            if (mark.end() == 0) {
                unmarked.put(form, mark);
            }
            return mark;
        }

        private Content.Figures content(FoundMessages found, @Nullable ReadException truncation) {
            String form = lines.isUtf16() ? "text, UTF-16" : "text";
            List<Clue> printed = figures == null
                    ? clues.finish()
                    : Stream.concat(clues.finish().stream(), figures.printed().stream())
                            .sorted(Comparator.comparingLong(Clue::line))
                            .toList();
            if (figures == null) {
                return new Content.Figures(
                        Measurements.NONE,
                        source.format(form),
                        lines.position(),
                        truncation,
                        found,
                        printed,
                        List.of());
            }
            if (printed.stream().anyMatch(clue -> clue.kind() == Clue.Kind.PYTHON_SOURCE)) {
                return new Content.Figures(
                        Measurements.NONE,
                        source.format("Python source"),
                        lines.position(),
                        truncation,
                        new FoundMessages(found.lines(), List.of(), 0, List.of(), 0),
                        printed,
                        List.of());
            }
            Content.Figures read = figures.finish(source, figures.isEmpty() ? form : "text", truncation);
            unread.correct(readOtherwise(found, printed), figures.unsure());
            return new Content.Figures(
                    read.measurements(),
                    read.format(),
                    lines.position(),
                    read.truncation(),
                    found,
                    printed,
                    unread.lines());
        }

        /** Lines of messages, and of what is printed beside them. */
        private static Set<Long> readOtherwise(FoundMessages found, List<Clue> printed) {
            Set<Long> read = new HashSet<>();
            printed.forEach(clue -> read.add(clue.line()));
            for (Found one : found.found()) {
                long first = one.places().getFirst().line();
                one.places().forEach(place -> read.add(place.line()));
                one.lines().forEach(line -> one.places().forEach(place -> read.add(place.line() + line - first)));
            }
            found.mentions().forEach(place -> read.add(place.line()));
            return read;
        }
    }

    /**
     * Lines that Leakline's own answer quotes of another text: {@code   line 14: torch.OutOfMemoryError: ...}, wrapped up to an empty line. What they say happened
     * there, and is no evidence of this text.
     */
    private static final class OwnOutput {
        private static final Pattern QUOTE = Pattern.compile("  line \\d{1,18}: .*");
        /** The most characters in a quote's first line: the answer is wrapped to a terminal. */
        private static final int MOST = 400;

        private boolean isOpen;

        /** Returns whether the line at which {@code lines} stand is part of such a quote. */
        boolean takes(LogLines lines) {
            if (!lines.isStart() || lines.length() == 0) {
                isOpen &= !lines.isStart();
                return isOpen;
            }
            boolean isIndented = lines.length() > 2 && lines.at(0) == ' ' && lines.at(1) == ' ';
            boolean mayBegin = !isOpen && isIndented && lines.at(2) == 'l' && lines.length() < MOST;
            isOpen = isIndented
                    && (isOpen
                            || (mayBegin
                                    && QUOTE.matcher(new String(lines.text(), 0, lines.length()))
                                            .matches()));
            return isOpen;
        }
    }
}
