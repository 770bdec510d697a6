package dev.leakline.read.log;

import dev.leakline.read.log.Hit.FoundSize;
import dev.leakline.read.log.Wording.Opens;
import dev.leakline.result.OutOfMemoryLog.Place;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Cause;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.result.OutOfMemoryMessage.Figure;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Hint;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.text.Ascii;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A message of which more may follow. */
final class MessageDraft {
    /** Sizes of a message: a machine with more processes on one device than this has no memory for any of them. */
    private static final int MOST_SIZES = 256;
    /** Characters of a message: the longest known has about 900, and 50 for each other process. */
    private static final int MOST_TEXT = 8192;
    /** Characters around a size that no wording explains. */
    private static final int SHOWN = 40;
    /** Characters of a text of others behind the words that tell it: what was called, and where. */
    private static final int FOREIGN_END = 160;

    /** The sizes that messages end with. */
    private static final Set<Meaning> LAST = EnumSet.of(Meaning.UNALLOCATED, Meaning.RESERVED, Meaning.CACHED);

    private final LogView view;
    private final Opens opens;
    private final String program;
    private final Place place;
    private final String exception;
    private final int start;
    private final int from;
    private final List<Wording> opened = new ArrayList<>();
    private final List<FoundSize> sizes = new ArrayList<>();
    private final Set<Meaning> printed = EnumSet.noneOf(Meaning.class);
    private final Set<Hint> hints = EnumSet.noneOf(Hint.class);
    private Form form;
    private @Nullable Cause cause;
    private boolean isSure;
    private int ordinal = -1;
    private int end;
    /** The line of the first size that messages end with. */
    private long lastLine = Long.MAX_VALUE;

    /** A message that a wording opens; {@code name} is where the name of its exception begins, -1 where it has none. */
    MessageDraft(LogView view, String program, Opens opens, int from, int name) {
        this.view = view;
        this.program = program;
        this.opens = opens;
        this.form = opens.form();
        this.cause = opens.cause();
        this.start = name < 0 ? from : name;
        this.exception = name < 0 ? "" : new Talk(view).name(name);
        this.place = view.place(start);
        this.isSure = opens.isSure();
        this.end = from;
        this.from = from;
    }

    String program() {
        return program;
    }

    Form form() {
        return form;
    }

    Device device() {
        return opens.device();
    }

    Place place() {
        return place;
    }

    /** Where its first words stand. */
    int from() {
        return from;
    }

    int end() {
        return end;
    }

    /** Takes what a wording says. */
    void take(Hit hit) {
        if (hit.wording().effect() instanceof Opens) {
            opened.add(hit.wording());
        }
        ordinal = ordinal < 0 ? hit.device() : ordinal;
        boolean isRepeated = isRepeatedBy(hit);
        for (FoundSize size : hit.sizes()) {
            if (sizes.size() < MOST_SIZES && !isRepeated) {
                sizes.add(size);
                printed.add(size.meaning());
                boolean isLast = LAST.contains(size.meaning()) && !hit.wording().isLabel();
                lastLine = isLast ? Math.min(lastLine, view.line(size.end() - 1)) : lastLine;
            }
        }
        end = Math.max(end, hit.end());
    }

    void turn(Form other) {
        form = other;
        isSure = true;
    }

    void become(Cause other) {
        cause = other;
    }

    void sure() {
        isSure = true;
    }

    void hint(@Nullable Hint hint) {
        if (hint != null) {
            hints.add(hint);
        }
    }

    /** Returns whether it already has a size that the wording gives, or all of it. */
    boolean conflicts(Hit hit) {
        boolean isAgain =
                hit.sizes().isEmpty() && hit.wording().effect() instanceof Opens && opened.contains(hit.wording());
        return isAgain || !Collections.disjoint(printed, hit.wording().meanings());
    }

    /** Returns whether other words give again the sizes that it has. */
    boolean isRepeatedBy(Hit hit) {
        if (hit.sizes().isEmpty() || opened.contains(hit.wording())) {
            return false;
        }
        for (FoundSize size : hit.sizes()) {
            if (!has(size.meaning()) || !isPrinted(size)) {
                return false;
            }
        }
        return true;
    }

    private boolean isPrinted(FoundSize size) {
        for (FoundSize own : sizes) {
            if (own.meaning() == size.meaning()
                    && own.pid() == size.pid()
                    && own.size().mayEqual(size.size())) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether no size was printed so far. */
    boolean hasNoSizes() {
        return sizes.isEmpty();
    }

    /** Returns whether a size of a meaning was printed. */
    boolean has(Meaning meaning) {
        return printed.contains(meaning);
    }

    /** Returns whether the size that versions print last was printed in a line before this one. */
    boolean isCompleteBefore(long line) {
        return lastLine < line;
    }

    /** Returns whether it turned out to be a message. */
    boolean isMessage() {
        return isSure || has(Meaning.REQUESTED);
    }

    /** Returns whether it at least speaks of a device that ran out of memory. */
    boolean isMention() {
        return opens.device() != Device.OTHER && form == Form.ALLOCATOR;
    }

    @Nullable
    Cause cause() {
        return cause;
    }

    int ordinal() {
        return ordinal;
    }

    /** The message, of which these are the figures. */
    OutOfMemoryMessage finish(List<Figure> figures) {
        return new OutOfMemoryMessage(
                form, opens.device(), ordinal, exception, text(), figures, List.copyOf(hints), program, cause);
    }

    /** The text of the message. */
    String text() {
        int last = form == Form.FOREIGN ? foreignEnd() : end;
        while (last < view.length() && ").`'".indexOf(view.at(last)) >= 0) {
            last++;
        }
        return view.string(start, Math.min(last, start + MOST_TEXT));
    }

    private int foreignEnd() {
        return view.lineEnd(Math.max(end - 1, start), FOREIGN_END);
    }

    /** The line of each size that it prints. */
    List<Long> lines() {
        return figureSizes().stream()
                .map(size -> view.place(size.start()).line())
                .toList();
    }

    /** The sizes that it prints, in their order. */
    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        for (FoundSize size : figureSizes()) {
            String words = size.meaning() == Meaning.UNKNOWN ? words(size.start(), size.end()) : "";
            figures.add(new Figure(size.meaning(), size.size(), size.pid(), words));
        }
        return figures;
    }

    private List<FoundSize> figureSizes() {
        List<FoundSize> all = new ArrayList<>(sizes);
        if (form == Form.ALLOCATOR || form == Form.FRAGMENT) {
            addUnknown(all);
        }
        all.sort(Comparator.comparingInt(FoundSize::start));
        return all.subList(0, Math.min(all.size(), MOST_SIZES));
    }

    /** Adds the sizes that no wording explains: up to what was understood last, and on that line until all is said. */
    private void addUnknown(List<FoundSize> all) {
        boolean isComplete = lastLine < Long.MAX_VALUE;
        int last = isComplete ? end : view.lineEnd(end, FOREIGN_END);
        SizeScanner scanner = new SizeScanner(view);
        char[] text = view.text();
        int at = digit(text, start, last);
        while (at < last && all.size() < MOST_SIZES) {
            boolean isNumber = !Ascii.isLetter(view.at(at - 1));
            int known = isNumber ? knownEnd(at) : -1;
            int next = at + 1;
            if (known > at) {
                next = known;
            } else if (isNumber && scanner.readAt(at)) {
                addUnknown(all, scanner);
                next = scanner.end;
            }
            at = digit(text, next, last);
        }
    }

    /** The first digit from a place on; {@code to} where there is none before. */
    private static int digit(char[] text, int from, int to) {
        int at = from;
        while (at < to && !Ascii.isDigit(text[at])) {
            at++;
        }
        return at;
    }

    /** Where a size ends that a wording found at a place; -1 where none did. */
    private int knownEnd(int place) {
        for (FoundSize size : sizes) {
            if (size.start() == place) {
                return size.end();
            }
        }
        return -1;
    }

    private void addUnknown(List<FoundSize> all, SizeScanner scanner) {
        boolean isKnown = !scanner.hasUnit()
                || sizes.stream().anyMatch(size -> size.start() < scanner.end && scanner.start < size.end());
        var size = isKnown ? null : scanner.size();
        if (size != null) {
            all.add(new FoundSize(Meaning.UNKNOWN, size, 0, scanner.start, scanner.end));
        }
    }

    /** The words around a stretch of text, whole ones. */
    private String words(int from, int to) {
        int first = view.lineStart(from, SHOWN);
        int last = view.lineEnd(to, SHOWN);
        boolean isFirst = from - first < SHOWN;
        boolean isLast = last - to < SHOWN;
        while (!isFirst && first < from && view.at(first - 1) != ' ') {
            first++;
        }
        while (!isLast && last > to && view.at(last) != ' ') {
            last--;
        }
        return view.string(first, last);
    }
}
