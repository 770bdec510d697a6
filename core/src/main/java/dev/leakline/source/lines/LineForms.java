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
        long hash = Words.hash(words, from, length);
        int place = place(hash);
        LineShape shape = shapes[place];
        if (shape == null || !shape.isOf(length, hash)) {
            shape = new LineShape(words, from, length, hash);
            shapes[place] = shape;
        }
        LineForm form = shape.last();
        return form != null && form.fits(words, from) ? form : find(shape, words, from);
    }

    private LineForm find(LineShape shape, long[] words, int from) {
        int place = place(LineForm.hash(shape, words, from));
        LineForm form = forms[place];
        if (form == null || form.length() != shape.length() || !form.fits(words, from)) {
            form = new LineForm(shape, (count++ << PLACE_BITS) | place, words, from);
            forms[place] = form;
        }
        shape.last(form);
        return form;
    }

    private static int place(long hash) {
        return (int) (hash >>> (Long.SIZE - PLACE_BITS)); // the upper bits of a product are of all bits of its factors
    }
}
