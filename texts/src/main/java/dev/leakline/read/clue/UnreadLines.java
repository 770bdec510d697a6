package dev.leakline.read.clue;

import dev.leakline.source.lines.FormMemo;
import dev.leakline.source.lines.LogLines;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/** Lines with sizes, in the first part of a text, from which nothing was read: sentences, and what programs print in forms that are not known. */
public final class UnreadLines {
    /** Lines that are looked at; a text whose beginning is longer is a log. */
    private static final int MOST = 1 << 16;

    /** A number with a unit of bytes: {@code 14 GB}, {@code 23.4GiB}, {@code 64G}. */
    private static final Pattern SIZE = Pattern.compile(
            "(?<![A-Za-z_\\d])(?<!\\d[.,])(?!0+(?:\\.0+)? )\\d[\\d.,]*+(?: ?[kmgtKMGT]i?[Bb]|[kmgtKMGT]i|[gtGT])(?![A-Za-z0-9_/])");

    private final BitSet sized = new BitSet();
    /** True for forms of lines that have a size. */
    private final FormMemo<Boolean> forms = new FormMemo<>();

    /** Takes the piece of a line at which {@code lines} stand, which is of a form; {@code isRead} where something was read from it. */
    public void take(LogLines lines, long form, boolean isRead) {
        if (lines.number() >= MOST) {
            return;
        }
        int number = (int) lines.number();
        if (isRead) {
            sized.clear(number);
        } else if (lines.isStart() && hasSize(lines, form)) {
            sized.set(number);
        }
    }

    private boolean hasSize(LogLines lines, long form) {
        Boolean known = forms.get(form);
        if (known == null) {
            known = SIZE.matcher(new String(lines.text(), 0, lines.length())).find();
            forms.put(form, known);
        }
        return known;
    }

    /** Adds what was not read, and takes back what was read after all. */
    public void correct(Collection<Long> read, Collection<Long> unread) {
        unread.stream().filter(line -> line < MOST).forEach(line -> sized.set(line.intValue()));
        read.stream().filter(line -> line < MOST).forEach(line -> sized.clear(line.intValue()));
    }

    /** The lines, from 1. */
    public List<Long> lines() {
        return sized.stream().mapToObj(line -> (long) line).toList();
    }
}
