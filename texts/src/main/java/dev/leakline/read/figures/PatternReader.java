package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.Whereabouts.Place;
import dev.leakline.read.terms.Amount;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Finds the figures of lines by somebody's pattern.
 *
 * <p>Java's expressions try one way after another, and some take longer than anybody waits. So their looks at characters are counted: a line that
 * takes too many is left out, and where too many lines do, or all together take more than the length of the text explains, reading is hopeless.
 */
final class PatternReader {
    private static final String LABEL = "pattern";
    /** Looks at a line, which has at most 8,192 characters: 500 at each, where sane expressions take a few. */
    private static final int MOST_LOOKS = 1 << 22;
    /** Lines that may take more. */
    private static final int MOST_GIVEN_UP = 100;
    /** Looks at each character of a text, on average, beyond those that any text may have. */
    private static final long MOST_PER_CHARACTER = 500;

    private static final long FREE_LOOKS = 1L << 30;

    /** Thrown when a pattern takes too long on a line. */
    private static final class GivenUp extends RuntimeException {
        private static final long serialVersionUID = 1L;

        GivenUp() {
            super(null, null, false, false);
        }
    }

    private final LinePattern pattern;
    private final SeriesBook book;
    private long looks;
    private long characters;
    private int givenUp;

    PatternReader(LinePattern pattern, SeriesBook book) {
        this.pattern = pattern;
        this.book = book;
    }

    /** Reads a line. */
    void read(String line, Utterance speech) {
        Matcher match = find(line);
        Amount figure = match == null ? null : pattern.figure(match);
        if (match != null && figure != null) {
            tellPlace(match, speech.whereabouts());
            Place place = speech.whereabouts().ofLine();
            String label = speech.speaker().isEmpty() ? LABEL : speech.speaker() + ", " + LABEL;
            Subject subject = new Subject(Source.LOG, Quantity.ALLOCATED, place.axis(), -1, -1, label);
            book.add(subject, place, figure.number(), figure.unit());
        }
    }

    private void tellPlace(Matcher match, Whereabouts whereabouts) {
        Amount epoch = pattern.amount(match, "epoch");
        if (epoch != null) {
            whereabouts.epoch(epoch.number());
        }
        Amount step = pattern.amount(match, "step");
        if (step != null) {
            whereabouts.step(step.number(), 0);
        }
    }

    private @Nullable Matcher find(String line) {
        characters += line.length();
        long before = looks;
        try {
            Matcher match = pattern.matcher(new Counted(line, before + MOST_LOOKS));
            return match.find() ? match : null;
        } catch (GivenUp | StackOverflowError e) { // alternatives within repetitions take a frame for each character
            givenUp++;
            return null;
        }
    }

    /** Returns whether the pattern says by itself where a figure belongs. */
    boolean namesPlace() {
        return pattern.has("step") || pattern.has("epoch");
    }

    /** Returns whether going on is no use. */
    boolean isHopeless() {
        return givenUp > MOST_GIVEN_UP || looks > FREE_LOOKS + MOST_PER_CHARACTER * characters;
    }

    /** Lines that were left out, as they take too long. */
    int givenUp() {
        return givenUp;
    }

    /** A text that counts how often it is looked at. */
    private final class Counted implements CharSequence {
        private final CharSequence text;
        private final long most;

        Counted(CharSequence text, long most) {
            this.text = text;
            this.most = most;
        }

        @Override
        public char charAt(int index) {
            if (++looks > most) {
                throw new GivenUp();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
