package dev.leakline.read.log;

import dev.leakline.result.OutOfMemoryMessage.Cause;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Hint;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A piece of text by which a message is known, or a size in it gets its meaning: a row of {@code wordings.txt}, which says how rows are
 * written.
 *
 * @param program whose text it is; rows of one program make one message
 * @param effect what it tells
 * @param parts the text, in pieces
 * @param meanings those of its sizes, but for other processes, of which there may be any number
 */
record Wording(String program, Effect effect, List<Part> parts, Set<Meaning> meanings) {
    /** A wording whose meanings are those of its parts. */
    static Wording of(String program, Effect effect, List<Part> parts) {
        Set<Meaning> meanings = EnumSet.noneOf(Meaning.class);
        for (Part part : parts) {
            if (part instanceof Size size && size.meaning() != Meaning.OTHER_PROCESS) {
                meanings.add(size.meaning());
            }
        }
        return new Wording(program, effect, parts, meanings);
    }

    /** Effects of a wording. */
    sealed interface Effect {}

    /** A message begins; {@code isSure} where nothing else is written like this. */
    record Opens(Form form, Device device, @Nullable Cause cause, boolean isSure) implements Effect {}

    /** The open message is of this form, surely. */
    record Turns(Form form) implements Effect {}

    /** The open message, or the one that opens next, is of this cause. */
    record Becomes(Cause cause) implements Effect {}

    /**
     * Sizes have a meaning; {@code isSure} where only a message has these words, so that they are a piece of one that is cut off before,
     * {@code mayLead} where they stand before the message, too.
     */
    record Says(boolean isSure, boolean mayLead) implements Effect {}

    /** The message gives a hint; null for words that are merely part of it. */
    record Hints(@Nullable Hint hint) implements Effect {}

    /** Pieces of a wording. */
    sealed interface Part {}

    /** Words, in small letters. */
    record Words(String text) implements Part {}

    /** A size. */
    record Size(Meaning meaning, Unit unit) implements Part {}

    /** How a size has its unit. */
    enum Unit {
        /** Behind it. */
        OWN,
        /** Behind the next size. */
        OF_NEXT,
        /** Behind it, or it is in bytes. */
        OWN_OR_BYTES
    }

    /** A number that is no size. */
    record Numeral(Role role) implements Part {}

    /** Meanings of a number. */
    enum Role {
        /** Nothing that is needed. */
        ANY,
        /** The number of the device. */
        DEVICE,
        /** That of a process. */
        PROCESS
    }

    /** Any other text of at most so many characters. */
    record Gap(int most) implements Part {}

    /** The end of a line. */
    record End() implements Part {}

    /** Returns whether it is a label before its size, such as {@code Reserved:}; labels come in any order. */
    boolean isLabel() {
        return parts.size() == 2 && parts.getLast() instanceof Size;
    }

    /** Returns whether its words have digits, so that it matters which ones a text has. */
    boolean hasDigits() {
        return parts.stream()
                .anyMatch(part ->
                        part instanceof Words words && words.text().chars().anyMatch(Character::isDigit));
    }

    /** The words by which it is looked for: the first. */
    Words first() {
        return parts.stream()
                .filter(Words.class::isInstance)
                .map(Words.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
