package dev.leakline.read.log;

import dev.leakline.read.log.Wording.End;
import dev.leakline.read.log.Wording.Gap;
import dev.leakline.read.log.Wording.Numeral;
import dev.leakline.read.log.Wording.Part;
import dev.leakline.read.log.Wording.Size;
import dev.leakline.read.log.Wording.Words;
import dev.leakline.text.Ascii;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares a wording with what stands at a place of a view, part after part. The work is bounded by the length of the wording and of its gaps. */
final class WordingMatch {
    /** How far before its first words a wording's number begins that stands there. */
    private static final int MOST_LEADING = 32;

    private final LogView view;
    private final NumberReader numbers;
    private final WordsMatch words;

    WordingMatch(LogView view, NumberReader numbers) {
        this.view = view;
        this.numbers = numbers;
        this.words = new WordsMatch(view);
    }

    /** The wording, if it is the one whose first words have so many letters before a place. */
    @Nullable
    Hit find(Wording wording, int letters, int keywordEnd) {
        numbers.restart();
        int first = keywordEnd;
        for (int left = letters; left > 0; ) {
            left -= KeywordIndex.isCounted(view.text()[--first]) ? 1 : 0;
        }
        List<Part> parts = wording.parts();
        boolean isLed = !(parts.getFirst() instanceof Words);
        int start = isLed ? leading(parts.getFirst(), first) : first;
        if (start < 0 || isWithinWord(start)) {
            return null;
        }
        int end = parts(parts, isLed ? 1 : 0, first);
        boolean isLabel = end >= 0 && isLed && parts.getLast() instanceof Words && words.isLabel(end);
        return end < 0 || isLabel ? null : numbers.hit(wording, start, end);
    }

    private boolean isWithinWord(int start) {
        char before = view.at(start - 1);
        char character = view.at(start);
        boolean isLetter = Ascii.isLetter(character);
        return isLetter ? Ascii.isLetter(before) : Ascii.isDigit(before);
    }

    private int parts(List<Part> parts, int from, int place) {
        int at = place;
        for (int i = from; i < parts.size() && at >= 0; i++) {
            at = switch (parts.get(i)) {
                case Words text -> words.end(text.text(), at, i == parts.size() - 1);
                case Size _, Numeral _ -> numbers.read(parts.get(i), at, i == parts.size() - 1);
                case Gap gap -> gap(gap, parts.get(i + 1), at);
                case End _ -> view.at(at) < ' ' || view.at(at + 1) < ' ' ? at : -1;
            };
        }
        return at;
    }

    /** The first place behind a gap where the next part stands. */
    private int gap(Gap gap, Part next, int from) {
        for (int at = from; at <= Math.min(from + gap.most(), view.length()); at++) {
            boolean isThere = next instanceof Words text
                    ? words.isAt(text.text(), at)
                    : Ascii.isDigit(view.at(at)) && !Ascii.isDigit(view.at(at - 1));
            if (isThere) {
                return at;
            }
        }
        return -1;
    }

    /** Where the number begins that ends right before the first words; -1 where there is none. */
    private int leading(Part part, int first) {
        int earliest = first;
        while (first - earliest < MOST_LEADING && isOfNumber(view.at(earliest - 1))) {
            earliest--;
        }
        for (int at = earliest; at < first; at++) {
            char before = view.at(at - 1);
            boolean isStart = Ascii.isDigit(view.at(at))
                    && !Ascii.isDigit(before)
                    && before != '.'
                    && !(before == ',' && numbers.isThousands(at - 1));
            if (isStart && numbers.reaches(at, first)) {
                return !(part instanceof Size) || numbers.read(part, at, false) >= 0 ? at : -1;
            }
        }
        return -1;
    }

    private static boolean isOfNumber(char character) {
        return character != 0
                && (Ascii.isDigit(character)
                        || Ascii.isLetter(character)
                        || character <= ' '
                        || character == '.'
                        || character == ',');
    }
}
