package dev.leakline.read.log;

import dev.leakline.read.log.Hit.FoundSize;
import dev.leakline.read.log.LineMatches.Match;
import dev.leakline.read.log.LineMatches.Numbered;
import dev.leakline.read.log.Wording.Numeral;
import dev.leakline.read.log.Wording.Part;
import dev.leakline.read.log.Wording.Role;
import dev.leakline.read.log.Wording.Size;
import dev.leakline.read.log.Wording.Unit;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the numbers of a wording: sizes, and which device and which process they are of. */
final class NumberReader {
    private final LogView view;
    private final SizeScanner scanner;
    private final List<FoundSize> sizes = new ArrayList<>();
    /** In the order in which they are read. */
    private final List<Numbered> numbers = new ArrayList<>();
    /** A number whose unit is that of the next size. */
    private String pending = "";

    private Meaning pendingMeaning = Meaning.UNKNOWN;
    private int device;
    private long process;

    NumberReader(LogView view) {
        this.view = view;
        this.scanner = new SizeScanner(view);
    }

    /** Begins a wording. */
    void restart() {
        numbers.clear();
        sizes.clear();
        pending = "";
        device = -1;
        process = 0;
    }

    /** The wording between two places, whose numbers were read. */
    Hit hit(Wording wording, int start, int end) {
        return new Hit(wording, start, end, List.copyOf(sizes), device);
    }

    /** The numbers that were read, by their places in a line. */
    List<Numbered> numbers(int line) {
        return numbers.stream()
                .map(number -> new Numbered(number.part(), number.from() - line, number.isLast()))
                .toList();
    }

    /** Reads those of a wording that stands in a line as it stood in another of its form. */
    Hit again(Match match, int line) {
        restart();
        for (Numbered number : match.numbers()) {
            read(number.part(), line + number.from(), number.isLast());
        }
        return hit(match.wording(), line + match.start(), line + match.end());
    }

    /** Reads a number from a place on; where it ends, or -1 where there is none. */
    int read(Part part, int from, boolean isLast) {
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
        if (scanner.hasUnit() || !isLast || scanner.isWhole()) {
            add(size.meaning(), scanner.size());
        }
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
            long ofProcess = meaning == Meaning.OTHER_PROCESS ? process : 0;
            sizes.add(new FoundSize(meaning, size, ofProcess, scanner.start, scanner.end));
        }
    }

    private int numeral(Numeral numeral, int from) {
        if (!scanner.read(from)) {
            return -1;
        }
        long number = SizeText.whole(scanner.digits());
        if (numeral.role() == Role.DEVICE) {
            device = number <= Integer.MAX_VALUE ? (int) number : -1;
        } else if (numeral.role() == Role.PROCESS) {
            process = Math.max(number, 0);
        }
        return scanner.numberEnd;
    }

    /** Returns whether a number begins at a place that, with its unit, reaches to another but for punctuation. */
    boolean reaches(int from, int to) {
        return scanner.readAt(from) && SizeScanner.endOfSoft(view, scanner.end) >= to;
    }

    /** Returns whether a comma parts thousands. */
    boolean isThousands(int comma) {
        return scanner.isThousands(comma);
    }
}
