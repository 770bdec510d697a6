package dev.leakline.read.log;

import dev.leakline.read.log.Phrase.Opens;
import dev.leakline.result.OutOfMemoryLog.Place;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Hint;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A message whose words are still coming. */
final class MessageDraft {
    /** Sizes of a message: a machine with more processes on one device than this has no memory for any of them. */
    private static final int MOST_SIZES = 256;
    /** Characters of a message: the longest known has about 900, and 50 for each other process. */
    private static final int MOST_TEXT = 8192;

    /** What messages end with. */
    private static final Set<Meaning> LAST = EnumSet.of(Meaning.UNALLOCATED, Meaning.RESERVED, Meaning.CACHED);

    /** A size that was read; what it means comes before or after it. */
    static final class Size {
        final PrintedSize size;
        private final String words;
        private final long line;
        private Meaning meaning = Meaning.UNKNOWN;
        private long pid;

        Size(PrintedSize size, String words, long line) {
            this.size = size;
            this.words = words;
            this.line = line;
        }

        boolean isUnknown() {
            return meaning == Meaning.UNKNOWN;
        }

        void mean(Meaning known, long process) {
            meaning = known;
            pid = process;
        }

        private Figure figure() {
            return new Figure(meaning, size, pid, isUnknown() ? words : "");
        }
    }

    final Place place;
    private final long line;
    private final Device device;
    private final String exception;
    private final StringBuilder text = new StringBuilder();
    private final List<Size> sizes = new ArrayList<>();
    private final Set<Hint> hints = EnumSet.noneOf(Hint.class);
    private Form form;
    private boolean isSure;
    private int ordinal = -1;
    /** Characters and sizes that were there when something of the message was last understood. */
    private int textKept;

    private int sizesKept;

    MessageDraft(Opens opens, Place place, String exception) {
        this.form = opens.form();
        this.device = opens.device();
        this.isSure = opens.isSure()
                || (opens.device() != Device.OTHER && !exception.isEmpty() && opens.form() != Form.FOREIGN);
        this.place = place;
        this.line = place.line();
        this.exception = exception;
    }

    Form form() {
        return form;
    }

    /** Whether the words that began it are those of the allocator, with the device's kind in them. */
    boolean hasDevice() {
        return device != Device.OTHER;
    }

    void turn(Form other) {
        form = other;
        isSure = true;
    }

    void name(long number) {
        ordinal = ordinal < 0 && number >= 0 && number <= Integer.MAX_VALUE ? (int) number : ordinal;
    }

    void hint(@Nullable Hint hint) {
        if (hint != null) {
            hints.add(hint);
        }
    }

    void add(Size size) {
        if (sizes.size() < MOST_SIZES) {
            sizes.add(size);
        }
    }

    /** Whether a size of a meaning was printed; of other processes there may be any number. */
    boolean has(Meaning meaning) {
        return meaning != Meaning.OTHER_PROCESS && sizes.stream().anyMatch(size -> size.meaning == meaning);
    }

    /** Whether the size that versions print last was printed in a line before this one. */
    boolean isCompleteBefore(long lineNumber) {
        return sizes.stream().anyMatch(size -> LAST.contains(size.meaning) && size.line < lineNumber);
    }

    void append(char[] from, int start, int end) {
        text.append(from, start, Math.clamp(MOST_TEXT - text.length(), 0, Math.max(end - start, 0)));
    }

    /** All up to here belongs to the message. */
    void progress() {
        textKept = text.length();
        sizesKept = sizes.size();
    }

    /** Whether it turned out to be a message. */
    boolean isMessage() {
        return isSure || has(Meaning.REQUESTED);
    }

    /** The message. */
    OutOfMemoryMessage finish() {
        text.setLength(textKept);
        return new OutOfMemoryMessage(form, device, ordinal, exception, readable(), figures(), List.copyOf(hints));
    }

    /** Whether it at least speaks of a device that ran out of memory. */
    boolean isMention() {
        return hasDevice() && form == Form.ALLOCATOR;
    }

    /** Sizes that were not understood count where something after them was, else on the message's first line until all is said. */
    private List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        boolean isComplete = false;
        for (int i = 0; i < sizes.size(); i++) {
            Size size = sizes.get(i);
            if (i < sizesKept || (size.line == line && !isComplete)) {
                figures.add(size.figure());
            }
            isComplete |= LAST.contains(size.meaning);
        }
        return List.copyOf(figures);
    }

    private static String singleBlanks(CharSequence text) {
        StringBuilder single = new StringBuilder(text.length());
        boolean wasBlank = false;
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            boolean isBlank = character == ' ' || (character >= '\t' && character <= '\r');
            if (!isBlank || !wasBlank) {
                single.append(isBlank ? ' ' : character);
            }
            wasBlank = isBlank;
        }
        return single.toString();
    }

    /** The text with single blanks. Characters of files that are not UTF-16 are bytes until here. */
    private String readable() {
        String joined = singleBlanks(text).strip();
        boolean isBytes = joined.chars().allMatch(character -> character < 0x100);
        return isBytes ? new String(joined.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8) : joined;
    }
}
