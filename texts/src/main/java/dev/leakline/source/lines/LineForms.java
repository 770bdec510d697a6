package dev.leakline.source.lines;

import org.jspecify.annotations.Nullable;

/**
 * Numbers the forms of lines ({@link LineForm}). Logs have few of them, so what was concluded from a form is kept beside its number
 * ({@link FormMemo}). The lines of a loop come in one order, so a line is first compared with the form that came last behind the one before.
 */
public final class LineForms {
    /** Where a line has none. */
    public static final long NONE = -1;

    /** Bits of a number that say in which place the form is kept; one that needs the place later takes it over, and has another number. */
    static final int PLACE_BITS = 11;
    /** Longer lines have no form: of logs they are few. */
    static final int MOST = 1024;

    private static final int PLACES = 1 << PLACE_BITS;

    private final @Nullable LineShape[] shapes = new @Nullable LineShape[PLACES];
    private final @Nullable LineForm[] forms = new @Nullable LineForm[PLACES];
    /** By place, that of the form that came last behind it. */
    private final int[] successors = new int[PLACES];
    /** The place of the last line's. */
    private int last;

    private long count;

    /** The form that came last behind that of the last line. */
    @Nullable
    LineForm expected() {
        return forms[successors[last]];
    }

    /** The next line is of a form. */
    void goTo(LineForm form) {
        int place = (int) form.number() & (PLACES - 1);
        successors[last] = place;
        last = place;
    }

    /** The form of a stretch of bytes. */
    LineForm of(long[] words, int from, int length) {
        LineShape shape = shape(words, from, length);
        LineForm form = shape.last();
        return form != null && form.fits(words, from) ? form : form(shape, words, from);
    }

    /** Each has two places, so that two that a loop has do not drive out each other. */
    private LineShape shape(long[] words, int from, int length) {
        long hash = ByteWords.hash(words, from, length);
        int place = place(hash);
        LineShape first = shapes[place];
        LineShape second = shapes[place ^ 1];
        if (first != null && first.isOf(length, hash)) {
            return first;
        }
        if (second != null && second.isOf(length, hash)) {
            return second;
        }
        LineShape shape = new LineShape(words, from, length, hash);
        shapes[place ^ 1] = first;
        shapes[place] = shape;
        return shape;
    }

    private LineForm form(LineShape shape, long[] words, int from) {
        int place = place(LineForm.hash(shape, words, from));
        LineForm form = known(place, shape, words, from);
        form = form == null ? known(place ^ 1, shape, words, from) : form;
        if (form == null) {
            int free = free(place);
            form = new LineForm(shape, (count++ << PLACE_BITS) | free, words, from);
            forms[free] = form;
        }
        shape.last(form);
        return form;
    }

    private int free(int place) {
        int other = place ^ 1;
        return forms[place] == null ? place : forms[other] == null || count % 2 == 0 ? other : place;
    }

    private @Nullable LineForm known(int place, LineShape shape, long[] words, int from) {
        LineForm form = forms[place];
        return form != null && form.length() == shape.length() && form.fits(words, from) ? form : null;
    }

    private static int place(long hash) {
        return (int) (hash >>> (Long.SIZE - PLACE_BITS)); // the upper bits of a product are of all bits of its factors
    }
}
