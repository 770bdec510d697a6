package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.RowReader.Convention;
import dev.leakline.read.figures.Whereabouts.Place;
import dev.leakline.read.terms.Amount;
import dev.leakline.read.terms.FigureName;
import dev.leakline.read.terms.NumberToken;
import dev.leakline.read.terms.WordSenses;
import dev.leakline.text.Ascii;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds figures of memory in a line that people print, by the words near a number.
 *
 * <p>Words since the last number or parting mark are its name ({@link NameGroup}); a colon or an equals sign between them makes it sure. A number
 * with a unit of bytes is a figure if the words say memory, before it or, as in {@code 3.2 GB allocated}, behind it; one without is, if the
 * name assigns it. Numbers behind words for steps, epochs, ranks and devices say where the figures of the line belong, wherever in it they
 * stand, so figures wait for its end. Anything else is passed over: shares, rates, times, dates, versions, names with digits.
 *
 * <p>It is a guess: a sentence that mentions memory beside a size becomes a series of one measurement. Series of single measurements tell
 * nothing, and nothing is concluded from them.
 */
final class LineReader {
    /** Figures of a line; {@code memory_stats()} printed in one has 120. */
    private static final int MOST_FIGURES = 256;
    /** The power of 1024 from which on a size without words may be one of a device. */
    static final int MEBI = 2;

    /** From a mebibyte on a number of no unit is one of bytes: as mebibytes it would be a tebibyte, which no device has. */
    private static final double LEAST_BARE = 1 << 20;

    /** A size behind it is a change: {@code memory goes up by 6 MB}. */
    private static final String CHANGE = " by";

    /** A figure; one that is not sure counts only if it comes again. */
    private record Figure(
            Quantity quantity,
            double number,
            long unit,
            String name,
            boolean isStatistic,
            int device,
            boolean isAssigned,
            boolean isSure) {}

    private final SeriesBook book;
    private final NameGroup group = new NameGroup();
    private final List<Figure> figures = new ArrayList<>();
    private final Counters counters = new Counters(group);
    private final UnitsOfText units = new UnitsOfText();
    private char[] text = new char[0];
    private String line = "";
    private int length;
    private boolean isByForm;
    /** Figures of the line behind a mark: {@code allocated: 24761.03}. */
    private int assigned;

    LineReader(SeriesBook book) {
        this.book = book;
    }

    /** Reads a line. */
    void read(String whole, Utterance speech) {
        tell(whole, speech);
        if (!figures.isEmpty()) {
            Place place = speech.whereabouts().ofLine();
            figures.forEach(figure -> add(figure, place, speech));
        }
    }

    /** Takes only where a line is. */
    void tell(String whole, Utterance speech) {
        line = whole;
        text = whole.toCharArray();
        length = text.length;
        group.beginLine();
        counters.beginLine(text);
        units.learn(whole);
        figures.clear();
        assigned = 0;
        isByForm = true;
        speech.whereabouts().begin();
        speech.whereabouts().timeIn(whole);
        scan();
        counters.tell(speech.whereabouts());
    }

    /** The whereabouts in the last line, if it held no figures and all lines of its form tell the same; null if not. */
    @Nullable
    QuietLine quiet() {
        return figures.isEmpty() && isByForm && counters.isByForm()
                ? new QuietLine(
                        true,
                        Whereabouts.mayHaveMoment(line),
                        bytesBefore(counters.epochAt()),
                        bytesBefore(counters.stepAt()),
                        counters.hasTotal())
                : null;
    }

    private int bytesBefore(int at) {
        return at < 0 ? -1 : line.substring(0, at).getBytes(StandardCharsets.UTF_8).length;
    }

    private void scan() {
        for (int at = 0; at < length; ) {
            if (Ascii.isLetter(text[at])) {
                at = word(at);
            } else if (Ascii.isDigit(text[at])) {
                at = number(at);
            } else {
                mark(at);
                at = isOption(at) ? endOfOption(at) : at + 1;
            }
        }
    }

    /** Returns whether an option of a command begins, {@code --mem=64G}: a setting is no measurement. */
    private boolean isOption(int at) {
        return text[at] == '-'
                && (at == 0 || text[at - 1] == ' ')
                && at + 2 < length
                && text[at + 1] == '-'
                && Ascii.isLetter(text[at + 2]);
    }

    private int endOfOption(int from) {
        group.clear();
        int to = from;
        while (to < length && text[to] != ' ') {
            to++;
        }
        return to;
    }

    /** Returns whether a sentence ends: what it is about is not what the next one says. */
    private boolean endsSentence(int at) {
        return at > 0
                && (Ascii.isLetter(text[at - 1]) || text[at - 1] == ')')
                && (at + 1 == length || text[at + 1] == ' ');
    }

    private int word(int at) {
        int to = FigureName.endOfWord(text, at, length);
        group.word(at, to, WordSenses.of(text, at, to));
        return to;
    }

    private void mark(int at) {
        switch (text[at]) {
            case ':', '=' -> group.assign();
            case ',' -> {
                if (at > 0 && (text[at - 1] == '\'' || text[at - 1] == '"')) {
                    group.assign(); // a pair of a name and its value, as OrderedDict prints it
                } else {
                    group.close();
                }
            }
            case ']' -> {
                if (!group.endsInUnit()) {
                    group.close();
                }
            }
            case '|', ';', '{', '}' -> group.close();
            case '.', '?', '!' -> {
                if (endsSentence(at)) {
                    group.clear();
                }
            }
            case '-' -> {
                if (at > 0 && text[at - 1] == ' ' && at + 1 < length && text[at + 1] == ' ') {
                    group.close();
                }
            }
            default -> {}
        }
    }

    private int number(int at) {
        boolean isGlued = at > 0 && (Ascii.isLetter(text[at - 1]) || text[at - 1] == '_');
        if (isGlued && !(group.end() == at && counters.isCounted(group.last()))) {
            return endOfIdentifier(at);
        }
        int to = Amount.endOfNumber(text, at, length);
        if (isOfName(at, to)) {
            return to + 1;
        }
        if (isTimeOrVersion(to)) {
            group.clear();
            return endOfTime(to);
        }
        NumberToken token = NumberToken.of(text, at, to, length);
        if (isDate(token)) {
            group.clear();
            return endOfTime(token.end());
        }
        if (token.isOther()) {
            group.clear();
        } else if (token.power() >= 0 || !counters.take(token)) {
            figure(token);
        }
        return Math.max(token.end(), to);
    }

    private int endOfIdentifier(int at) {
        int to = at;
        while (to < length && (Ascii.isLetter(text[to]) || Ascii.isDigit(text[to]))) {
            to++;
        }
        return to;
    }

    /** Returns whether a number in brackets belongs to the name of the figure behind it: {@code rss_workers(8) 48.2 GiB}. */
    private boolean isOfName(int at, int to) {
        boolean isInBrackets = at > 0 && text[at - 1] == '(' && group.end() == at - 1 && to < length && text[to] == ')';
        int next = isInBrackets ? Ascii.endOfBlanks(text, to + 1, length) : length;
        return next < length && Ascii.isDigit(text[next]);
    }

    private boolean isTimeOrVersion(int to) {
        return to + 1 < length
                && Ascii.isDigit(text[to + 1])
                && (text[to] == ':' || text[to] == '-' || text[to] == '.');
    }

    /** Returns whether a part of something has parts: {@code 2026/11/21}. */
    private boolean isDate(NumberToken token) {
        int end = token.end();
        return token.hasTotal() && end + 1 < length && text[end] == '/' && Ascii.isDigit(text[end + 1]);
    }

    private int endOfTime(int from) {
        int to = from;
        while (to < length
                && (Ascii.isDigit(text[to])
                        || text[to] == ':'
                        || text[to] == '-'
                        || text[to] == '.'
                        || text[to] == '/')) {
            to++;
        }
        return to;
    }

    private void figure(NumberToken token) {
        isByForm &= token.power() < 0 || !token.hasTotal(); // a part is compared with its whole
        if (token.power() < 0 && group.sensesWithHeading() == 0) {
            group.clear();
            return;
        }
        String name = group.text(text);
        if (isAlone(token)) {
            keep(Quantity.ALLOCATED, token, token.power(), name);
            return;
        }
        FigureName known = group.isAssigned() || FigureName.isOfGroup(name) ? known(name) : null;
        if (known != null) {
            int device = known.isStatistic() ? -1 : counters.device();
            keep(new Figure(
                    known.quantity(), token.number(), known.unit(), name, known.isStatistic(), device, true, true));
        } else if (name.indexOf('.') < 0 || FigureName.of(name) != null) {
            words(token, name);
        }
        group.clear();
    }

    /** Returns whether a size is all that a line says of a step or a moment: {@code step 3: 18.9 GB}, {@code After release: 0.2 GB}. */
    private boolean isAlone(NumberToken token) {
        return token.power() >= MEBI
                && figures.isEmpty()
                && (isOfStep(token) || (group.isAssigned() && group.isRelease()))
                && Ascii.endOfBlanks(text, token.end(), length) == length;
    }

    private boolean isOfStep(NumberToken token) {
        return group.sensesWithHeading() == 0 && counters.stepEnd() >= 0 && isBetween(counters.stepEnd(), token.from());
    }

    private static @Nullable FigureName known(String name) {
        FigureName byHeart = FigureName.byHeart(name);
        if (byHeart != null || !name.startsWith("memory.")) {
            return byHeart;
        }
        FigureName named = FigureName.of(name);
        return named != null && named.isNvidia() ? named : null;
    }

    private void words(NumberToken token, String name) {
        if (!group.isAssigned() && name.endsWith(CHANGE)) {
            return;
        }
        boolean hasUnit = token.power() >= 0;
        int after = hasUnit ? sensesBehind(token) : 0;
        int behind = isOfOther(group.senses(), after) ? 0 : after;
        boolean isWhole = !hasUnit && name.indexOf('_') > 0; // an identifier says by itself what a bare number is
        int with = isWhole ? group.senses() : group.sensesWithHeading();
        int before = WordSenses.has(after, WordSenses.STATE) && WordSenses.has(group.senses(), WordSenses.STATE)
                ? with & ~WordSenses.USED
                : with;
        int senses = implied(token, before | behind);
        int power = hasUnit ? token.power() : group.power();
        Quantity quantity = isFigure(token, senses, behind, power) ? quantity(senses, name, token) : null;
        if (quantity != null && !isQuotedInWords(token)) {
            keep(quantity, token, power, name.isEmpty() ? token.wordsBehind(text, length) : name);
            group.remember();
        }
    }

    /** Returns whether a size ends a piece of code that a sentence or a table quotes: {@code | `allocated 9.1 GiB` | grows |}. */
    private boolean isQuotedInWords(NumberToken token) {
        boolean isQuoted = token.end() < length && text[token.end()] == '`';
        return isQuoted && !(text[0] == '`' && token.end() == length - 1);
    }

    /** The senses of words behind a size, where they say what it is and the words before it only whose it is: {@code Memory usage: 3 GB free}. */
    private int sensesBehind(NumberToken token) {
        int state = group.senses() & WordSenses.STATE;
        if (state == 0) {
            return token.sensesBehind(text, length);
        }
        String next = token.wordsBehind(text, length);
        int end = Ascii.endOfBlanks(text, token.end(), length) + next.length();
        boolean isNextName = end < length && (text[end] == ':' || text[end] == '=');
        boolean isRest = next.equals("free") || next.equals("total");
        return state == WordSenses.USED && isRest && !isNextName ? token.sensesBehind(text, length) : 0;
    }

    /**
     * The senses of a size with those that go without saying: {@code GPU: 10.1GB} and {@code cuda:0 8.9GB} are what is used of a device, as is {@code gpu 10.1 GB} in a line of a step, and so is a
     * part of a whole, unless it is of something that is moved or stored.
     */
    private int implied(NumberToken token, int senses) {
        boolean isSize = token.power() >= MEBI && !WordSenses.has(senses, WordSenses.NEVER | WordSenses.MOVED);
        boolean isOfDevice = isBehindDevice(token)
                || ((group.isAssigned() || counters.stepEnd() >= 0) && group.senses() == WordSenses.DEVICE);
        boolean isPart =
                token.hasTotal() && token.number() <= token.total() && group.isNamed() && line.indexOf("B/s") < 0;
        int more = WordSenses.has(senses, WordSenses.STATE) ? WordSenses.MEMORY : WordSenses.MEMORY | WordSenses.USED;
        return isSize && (isOfDevice || isPart)
                ? senses | more | (WordSenses.has(senses, WordSenses.HOST) ? 0 : WordSenses.DEVICE)
                : senses;
    }

    /** Returns whether words behind a size are about other memory than those before it, and so name the next size: {@code host rss 6.1 GiB gpu used 38 GiB}. */
    private static boolean isOfOther(int before, int behind) {
        int both = WordSenses.HOST | WordSenses.DEVICE;
        return WordSenses.has(before, both) && WordSenses.has(behind, both) && (before & behind & both) == 0;
    }

    /** Returns whether nothing but marks stands between a device's number and a size. */
    private boolean isBehindDevice(NumberToken token) {
        return counters.deviceEnd() >= 0 && isBetween(counters.deviceEnd(), token.from());
    }

    private boolean isBetween(int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] != ' ' && text[i] != ':' && text[i] != '=' && text[i] != ']' && text[i] != '|') {
                return false;
            }
        }
        return from <= to;
    }

    /** Returns whether a number is one of memory: its words say so, and a unit or an assignment that it is theirs. */
    private boolean isFigure(NumberToken token, int senses, int behind, int power) {
        boolean isAbout = WordSenses.has(senses, WordSenses.MEMORY | WordSenses.ALLOCATED)
                || (group.isAssigned() && WordSenses.isSizeOfPlace(group.senses()));
        boolean isNamed = WordSenses.has(
                group.senses() | behind | implied(token, 0),
                WordSenses.MEMORY | WordSenses.STATE | WordSenses.PEAK | WordSenses.DEVICE);
        return isAbout && isNamed && (power >= 0 || group.isAssigned() || isBareBytes(token));
    }

    /** Returns whether a number right behind its name is so large that it counts bytes: {@code allocated 50332160}. A smaller one of the same form may grow to it. */
    private boolean isBareBytes(NumberToken token) {
        boolean mayBe = group.isNamed() && token.number() == Math.rint(token.number());
        isByForm &= !mayBe;
        return mayBe && token.number() >= LEAST_BARE;
    }

    private @Nullable Quantity quantity(int senses, String name, NumberToken token) {
        Quantity convention = Convention.of(name, other -> line.contains(" " + other));
        Quantity quantity = WordSenses.quantity(senses);
        boolean isOfDevice =
                token.hasTotal() && quantity == Quantity.ALLOCATED && !WordSenses.has(senses, WordSenses.ALLOCATED);
        return quantity == null || convention == null ? isOfDevice ? Quantity.DEVICE_USED : quantity : convention;
    }

    private void keep(Quantity quantity, NumberToken token, int power, String name) {
        long unit = units.bytes(power, text, token.end());
        boolean isAssigned = group.isAssigned();
        boolean isSure = isKnown(token, name);
        assigned += isAssigned ? 1 : 0;
        keep(new Figure(quantity, token.number(), unit, name, false, counters.device(), isAssigned, isSure));
        if (token.hasTotal() && power >= 0 && quantity != Quantity.HOST_USED) {
            keep(new Figure(
                    Quantity.DEVICE_TOTAL, token.total(), unit, name, false, counters.device(), isAssigned, isSure));
        }
    }

    /**
     * Returns whether no sentence has such a name: an identifier with its value behind a mark, a pair such as {@code mem=8.4GB}, a name that is known of a program beside
     * another of its names. What is quoted as code is no measurement.
     */
    private boolean isKnown(NumberToken token, String name) {
        boolean isQuoted = token.end() < length && text[token.end()] == '`';
        boolean isIdentifier = name.indexOf(' ') < 0 && (name.indexOf('_') > 0 || name.indexOf('.') > 0);
        int from = token.from();
        boolean isPair = from > 1 && text[from - 1] == '=' && text[from - 2] != ' ' && name.indexOf(' ') < 0;
        return !isQuoted
                && ((group.isAssigned() && isIdentifier)
                        || isPair
                        || Convention.of(name, other -> line.contains(" " + other)) != null);
    }

    private void keep(Figure figure) {
        if (figures.size() < MOST_FIGURES) {
            figures.add(figure);
        }
    }

    private void add(Figure figure, Place place, Utterance speech) {
        Source source = figure.isStatistic ? Source.MEMORY_STATS : Source.LOG;
        String speaker = speech.speaker().isEmpty() ? counters.rank() : speech.speaker();
        String name = figure.isStatistic ? "" : figure.name;
        String label = speaker.isEmpty() || name.isEmpty() ? speaker + name : speaker + ", " + name;
        Subject subject = new Subject(source, figure.quantity, place.axis(), figure.device, -1, label);
        book.add(
                subject, place, figure.number, figure.unit, speech.whereabouts().isNamed(), isSure(figure));
    }

    /** Returns whether a figure counts though it does not come again: its name is known, or the line is a record of several names with their values. */
    private boolean isSure(Figure figure) {
        return figure.isSure || (figure.isAssigned && assigned > 1);
    }
}
