package dev.leakline.read.log;

import dev.leakline.read.log.Wording.End;
import dev.leakline.read.log.Wording.Gap;
import dev.leakline.read.log.Wording.Numeral;
import dev.leakline.read.log.Wording.Part;
import dev.leakline.read.log.Wording.Role;
import dev.leakline.read.log.Wording.Size;
import dev.leakline.read.log.Wording.Unit;
import dev.leakline.read.log.Wording.Words;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the wordings in a view. A word may be in two pieces where a line ends; where a wording has blanks or punctuation, the text has some, too,
 * whichever. The work for a candidate is bounded by the length of its wording and of its gaps.
 */
final class WordingMatcher {
    /** Blanks and punctuation between two words: brackets, quotes, the edge of a box. */
    private static final int MOST_SOFT = 12;
    /** How far before its first words a wording's number begins that stands there. */
    private static final int MOST_LEADING = 32;
    /** A view with more wordings is no log; the rest is not looked at. */
    private static final int MOST_HITS = 1 << 16;

    /** A size of a wording, and where it stands. */
    record FoundSize(Meaning meaning, PrintedSize size, long pid, int start, int end) {}

    /** A wording that stands in the view between two places. */
    record Hit(Wording wording, int start, int end, List<FoundSize> sizes, int device) {}

    private final LogView view;
    private final SizeScanner scanner;
    private final List<FoundSize> sizes = new ArrayList<>();
    /** A number whose unit is that of the next size. */
    private String pending = "";

    private Meaning pendingMeaning = Meaning.UNKNOWN;
    private int device;
    private long pid;

    WordingMatcher(LogView view) {
        this.view = view;
        this.scanner = new SizeScanner(view);
    }

    /** All wordings, in their order; of those that overlap, the longest. */
    List<Hit> hits() {
        List<Hit> all = new ArrayList<>();
        KeywordIndex index = Wordings.ALL.index();
        int at = index.find(view.text(), 0, view.length());
        while (at >= 0 && all.size() < MOST_HITS) {
            for (int row : index.found()) {
                Hit hit = match(Wordings.ALL.row(row), Wordings.ALL.letters(row), at);
                if (hit != null) {
                    all.add(hit);
                }
            }
            at = index.find(view.text(), at, view.length());
        }
        all.sort(Comparator.comparingInt((Hit hit) -> hit.start - hit.end).thenComparingInt(Hit::start));
        TreeMap<Integer, Hit> taken = new TreeMap<>();
        for (Hit hit : all) {
            Map.Entry<Integer, Hit> before = taken.lowerEntry(hit.end);
            if (before == null || before.getValue().end <= hit.start) {
                taken.put(hit.start, hit);
            }
        }
        return List.copyOf(taken.values());
    }

    private @Nullable Hit match(Wording wording, int letters, int keywordEnd) {
        sizes.clear();
        pending = "";
        device = -1;
        pid = 0;
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
        return end < 0 ? null : new Hit(wording, start, end, List.copyOf(sizes), device);
    }

    private boolean isWithinWord(int start) {
        char before = view.at(start - 1);
        char character = view.at(start);
        boolean isLetter = SizeScanner.isLetter(character);
        return isLetter ? SizeScanner.isLetter(before) : SizeScanner.isDigit(before);
    }

    private int parts(List<Part> parts, int from, int place) {
        int at = place;
        for (int i = from; i < parts.size() && at >= 0; i++) {
            at = switch (parts.get(i)) {
                case Words words -> words(words.text(), at, i == parts.size() - 1);
                case Size size -> size(size, at, i == parts.size() - 1);
                case Numeral numeral -> numeral(numeral, at);
                case Gap gap -> gap(gap, parts.get(i + 1), at);
                case End _ -> view.lineEnd(at, 2) - at <= 1 ? at : -1;
            };
        }
        return at;
    }

    /** Where the words end that begin at a place; -1 where others stand there. */
    private int words(String words, int from, boolean isLast) {
        int at = from;
        int i = 0;
        while (i < words.length()) {
            char wanted = words.charAt(i);
            if (SizeScanner.isSoft(wanted)) {
                int next = i;
                while (next < words.length() && SizeScanner.isSoft(words.charAt(next))) {
                    next++;
                }
                boolean isInside = i > 0 && next < words.length();
                at = isInside ? between(words, i, next, at) : atEdge(words, i, next, at);
                i = next;
            } else {
                at = i == 0 && from == at ? soft(at) : joint(at);
                if (view.at(at) != wanted) {
                    return -1;
                }
                at++;
                i++;
            }
            if (at < 0) {
                return -1;
            }
        }
        boolean isCut = isLast && SizeScanner.isLetter(view.at(at)) && SizeScanner.isLetter(view.at(at - 1));
        return isCut ? -1 : at;
    }

    /** Behind the punctuation between two words: a hyphen is no blank, so that names and addresses are no sentences. */
    private int between(String words, int from, int to, int at) {
        int end = soft(at);
        if (end == at) {
            return words.substring(from, to).isBlank() ? -1 : at;
        }
        for (int i = at; i < end; i++) {
            char character = view.at(i);
            boolean isJoiner = character == '-' || character == '/' || character == '.';
            if (!isJoiner || words.substring(from, to).indexOf(character) >= 0) {
                return end;
            }
        }
        return -1;
    }

    /** Behind the punctuation before or after a size: a colon stands before what it introduces. */
    private int atEdge(String words, int from, int to, int at) {
        int end = soft(at);
        boolean hasColon = from > 0 && words.substring(from, to).contains(":");
        return hasColon && view.string(at, end).indexOf(':') < 0 ? -1 : end;
    }

    private int soft(int from) {
        int at = from;
        while (at - from < MOST_SOFT && SizeScanner.isSoft(view.at(at))) {
            at++;
        }
        return at;
    }

    private int joint(int from) {
        int at = from;
        while (LogView.isJoint(view.at(at))) {
            at++;
        }
        return at;
    }

    private int size(Size size, int from, boolean isLast) {
        if (!scanner.read(from)) {
            return -1;
        }
        if (size.unit() == Unit.OF_NEXT) {
            pending = scanner.digits();
            pendingMeaning = size.meaning();
            return scanner.end;
        }
        if (size.unit() == Unit.OWN && !scanner.hasUnit()) {
            return -1;
        }
        addPending();
        boolean isSure = scanner.hasUnit() || !isLast || scanner.isWhole();
        add(size.meaning(), isSure ? scanner.size() : null);
        return scanner.end;
    }

    private void addPending() {
        if (!pending.isEmpty()) {
            add(pendingMeaning, scanner.size(pending));
            pending = "";
        }
    }

    private void add(Meaning meaning, @Nullable PrintedSize size) {
        if (size != null) {
            long process = meaning == Meaning.OTHER_PROCESS ? pid : 0;
            sizes.add(new FoundSize(meaning, size, process, scanner.start, scanner.end));
        }
    }

    private int numeral(Numeral numeral, int from) {
        if (!scanner.read(from)) {
            return -1;
        }
        String digits = scanner.digits();
        boolean isWhole = digits.length() < 18 && digits.indexOf('.') < 0;
        long number = isWhole ? Long.parseLong(digits) : -1;
        if (numeral.role() == Role.DEVICE) {
            device = number <= Integer.MAX_VALUE ? (int) number : -1;
        } else if (numeral.role() == Role.PROCESS) {
            pid = Math.max(number, 0);
        }
        return scanner.numberEnd;
    }

    /** The first place behind a gap where the next part stands. */
    private int gap(Gap gap, Part next, int from) {
        for (int at = from; at <= Math.min(from + gap.most(), view.length()); at++) {
            boolean isThere = next instanceof Words words
                    ? view.at(at) == firstLetter(words.text()) && words(words.text(), at, false) >= 0
                    : SizeScanner.isDigit(view.at(at)) && !SizeScanner.isDigit(view.at(at - 1));
            if (isThere) {
                return at;
            }
        }
        return -1;
    }

    private static char firstLetter(String words) {
        int i = 0;
        while (SizeScanner.isSoft(words.charAt(i))) {
            i++;
        }
        return words.charAt(i);
    }

    /** Where the number begins that ends right before the first words; -1 where there is none. */
    private int leading(Part part, int words) {
        int earliest = words;
        while (words - earliest < MOST_LEADING && isOfNumber(view.at(earliest - 1))) {
            earliest--;
        }
        for (int at = earliest; at < words; at++) {
            char before = view.at(at - 1);
            boolean isStart = SizeScanner.isDigit(view.at(at))
                    && !SizeScanner.isDigit(before)
                    && before != '.'
                    && !(before == ',' && scanner.isThousands(at - 1));
            if (isStart && scanner.readAt(at) && soft(scanner.end) >= words) {
                boolean hasUnit = scanner.hasUnit() || !(part instanceof Size size) || size.unit() != Unit.OWN;
                if (hasUnit && part instanceof Size size) {
                    add(size.meaning(), scanner.size());
                }
                return hasUnit ? at : -1;
            }
        }
        return -1;
    }

    private static boolean isOfNumber(char character) {
        return character != 0
                && (SizeScanner.isDigit(character)
                        || SizeScanner.isLetter(character)
                        || character <= ' '
                        || character == '.'
                        || character == ',');
    }
}
