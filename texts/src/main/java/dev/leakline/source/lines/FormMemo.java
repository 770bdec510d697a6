package dev.leakline.source.lines;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A memory of what is known of the forms of lines, by the numbers that {@link LineForms} gives them; what is known of forms that are kept no more is gone. */
public final class FormMemo<T> {
    private final long[] numbers = new long[1 << LineForms.PLACE_BITS];
    private final @Nullable Object[] values = new @Nullable Object[1 << LineForms.PLACE_BITS];

    /** A memo of nothing. */
    public FormMemo() {
        Arrays.fill(numbers, LineForms.NONE);
    }

    /** The knowledge of a form, null where there is none. */
    @SuppressWarnings("unchecked")
    public @Nullable T get(long form) {
        int place = place(form);
        return form != LineForms.NONE && numbers[place] == form ? (T) values[place] : null;
    }

    /** Keeps what is known of a form. */
    public void put(long form, T value) {
        if (form != LineForms.NONE) {
            numbers[place(form)] = form;
            values[place(form)] = value;
        }
    }

    private int place(long form) {
        return (int) form & (numbers.length - 1);
    }
}
