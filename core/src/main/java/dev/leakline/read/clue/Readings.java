package dev.leakline.read.clue;

import dev.leakline.result.Conclusion.Resource;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Measurements of one memory in the order of a text, and whether they rise. */
final class Readings {
    /** Readings from which on a rise with every one is no accident: one in six, of three in random order. */
    private static final int FEWEST = 3;
    /** A rise of less is what any two moments of a program differ by. */
    private static final double NOTABLE = 0.05;
    /** Readings of one level differ by less: they are rounded as people say them. */
    private static final double SAME = 0.02;
    /** Warm-up slows down: the last rise of a leak is not less than half of the mean. */
    private static final double STILL = 0.5;

    /**
     * A measurement.
     *
     * @param position its step, run or hour
     * @param line the line that it stands in
     * @param text that line
     */
    record Reading(double position, long bytes, long line, String text) {}

    private final List<Reading> all = new ArrayList<>();

    void add(Reading reading) {
        all.add(reading);
    }

    void clear() {
        all.clear();
    }

    int size() {
        return all.size();
    }

    boolean isEnough() {
        return all.size() >= FEWEST;
    }

    /** Whether a position is behind that of the last measurement. */
    boolean isBehind(double position) {
        return !all.isEmpty() && position > all.getLast().position;
    }

    /** Says by how much they rise, where each is higher than the one before and the last rise is not much slower; whether they do. */
    boolean say(Consumer<Clue> found, @Nullable Resource resource) {
        if (!isEnough() || !isRising()) {
            return false;
        }
        Reading last = all.getLast();
        Reading first = all.getFirst();
        found.accept(new Clue(Kind.GROWTH_TOTAL, resource, last.bytes - first.bytes, last.line, last.text));
        found.accept(new Clue(Kind.GROWTH_RATE, resource, Math.round(rate(first, last)), last.line, last.text));
        found.accept(new Clue(Kind.ROSE_TO, resource, last.bytes, last.line, last.text));
        return true;
    }

    /** Says at how much they stay, where they do. */
    void sayLevel(Consumer<Clue> found) {
        long most = all.stream().mapToLong(Reading::bytes).max().orElse(0);
        long least = all.stream().mapToLong(Reading::bytes).min().orElse(0);
        if (isEnough() && most - least <= SAME * most) {
            found.accept(new Clue(Kind.SAME_LEVEL, null, all.getLast().bytes, all.getLast().line, all.getLast().text));
        }
    }

    private boolean isRising() {
        for (int i = 1; i < all.size(); i++) {
            Reading before = all.get(i - 1);
            if (all.get(i).bytes <= before.bytes || all.get(i).position <= before.position) {
                return false;
            }
        }
        Reading last = all.getLast();
        Reading first = all.getFirst();
        return last.bytes - first.bytes >= NOTABLE * last.bytes
                && rate(all.get(all.size() - 2), last) >= STILL * rate(first, last);
    }

    private static double rate(Reading from, Reading to) {
        return (to.bytes - from.bytes) / (to.position - from.position);
    }
}
