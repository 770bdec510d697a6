package dev.leakline.read.log;

import dev.leakline.read.log.LineMatches.Match;
import dev.leakline.read.log.LineMatches.Numbered;
import dev.leakline.read.log.LineMatches.Surroundings;
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
import dev.leakline.source.lines.FormMemo;
import java.util.ArrayList;
import java.util.Collection;
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
    private final FormMemo<LineMatches> known;
    private final KeywordIndex index = Wordings.ALL.index();
    private final List<Hit> all = new ArrayList<>();
    private final SizeScanner scanner;
    private final List<FoundSize> sizes = new ArrayList<>();
    /** The numbers of a wording, in the order in which they are read. */
    private final List<Numbered> numbers = new ArrayList<>();
    /** A number whose unit is that of the next size. */
    private String pending = "";

    private Meaning pendingMeaning = Meaning.UNKNOWN;
    private int device;
    private long pid;

    /** Looks through {@code view}; {@code known} is what was found in lines of other views. */
    WordingMatcher(LogView view, FormMemo<LineMatches> known) {
        this.view = view;
        this.known = known;
        this.scanner = new SizeScanner(view);
    }

    /** All wordings, in their order; of those that overlap, the longest. */
    List<Hit> hits() {
        for (int piece = 0; piece < view.pieces() && all.size() < MOST_HITS; piece++) {
            int from = view.start(piece);
            LineMatches line = known.get(view.form(piece));
            Surroundings around = Surroundings.of(view, piece, index.state());
            if (line != null && line.fit(view, piece, around)) {
                for (Match match : line.matches()) {
                    again(match, from);
                }
                index.resume(line.after());
            } else {
                find(piece, around);
            }
        }
        return apart();
    }

    /** Looks for wordings that begin in a piece, or whose first words end there. */
    private void find(int piece, Surroundings around) {
        int from = view.start(piece);
        int to = view.start(piece + 1);
        List<Match> matches = new ArrayList<>();
        boolean isOfForm = true;
        view.note();
        int at = index.find(view.text(), from, to);
        while (at >= 0 && all.size() < MOST_HITS) {
            for (int row : index.found()) {
                isOfForm &= !Wordings.ALL.hasDigits(row);
                Hit hit = match(Wordings.ALL.row(row), Wordings.ALL.letters(row), at);
                if (hit != null) {
                    all.add(hit);
                    matches.add(new Match(hit.wording, hit.start - from, hit.end - from, numbered(from)));
                }
            }
            at = index.find(view.text(), at, to);
        }
        LineMatches line = isOfForm ? LineMatches.of(view, piece, around, index.state(), matches) : null;
        if (line != null) {
            known.put(view.form(piece), line);
        }
    }

    /** The numbers of the last match, by their places in a line. */
    private List<Numbered> numbered(int line) {
        return numbers.stream()
                .map(number -> new Numbered(number.part(), number.from() - line, number.isLast()))
                .toList();
    }

    /** Takes what stands in a line where it stood in another of its form, with the numbers of this one. */
    private void again(Match match, int line) {
        restart();
        for (Numbered number : match.numbers()) {
            number(number.part(), line + number.from(), number.isLast());
        }
        all.add(new Hit(match.wording(), line + match.start(), line + match.end(), List.copyOf(sizes), device));
    }

    private void restart() {
        numbers.clear();
        sizes.clear();
        pending = "";
        device = -1;
        pid = 0;
    }

    /** Of those that overlap, the longest. */
    private List<Hit> apart() {
        all.sort(Comparator.comparingInt(Hit::start));
        List<Hit> taken = new ArrayList<>();
        for (int i = 0, to; i < all.size(); i = to) {
            int end = all.get(i).end;
            for (to = i + 1; to < all.size() && all.get(to).start < end; to++) {
                end = Math.max(end, all.get(to).end);
            }
            taken.addAll(to == i + 1 ? all.subList(i, to) : longest(all.subList(i, to)));
        }
        return taken;
    }

    private static Collection<Hit> longest(List<Hit> hits) {
        if (hits.size() == 2) {
            Hit first = hits.getFirst();
            Hit second = hits.getLast();
            return List.of(second.end - second.start > first.end - first.start ? second : first);
        }
        List<Hit> longestFirst = new ArrayList<>(hits);
        longestFirst.sort(Comparator.comparingInt((Hit hit) -> hit.start - hit.end));
        TreeMap<Integer, Hit> taken = new TreeMap<>();
        for (Hit hit : longestFirst) {
            Map.Entry<Integer, Hit> before = taken.lowerEntry(hit.end);
            if (before == null || before.getValue().end <= hit.start) {
                taken.put(hit.start, hit);
            }
        }
        return taken.values();
    }

    private @Nullable Hit match(Wording wording, int letters, int keywordEnd) {
        restart();
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
                case Size _, Numeral _ -> number(parts.get(i), at, i == parts.size() - 1);
                case Gap gap -> gap(gap, parts.get(i + 1), at);
                case End _ -> view.at(at) < ' ' || view.at(at + 1) < ' ' ? at : -1;
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

    /** Reads a number from a place on; where it ends, or -1 where there is none. */
    private int number(Part part, int from, boolean isLast) {
        numbers.add(new Numbered(part, from, isLast));
        return part instanceof Size size ? size(size, from, isLast) : numeral((Numeral) part, from);
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
                return !(part instanceof Size) || number(part, at, false) >= 0 ? at : -1;
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
