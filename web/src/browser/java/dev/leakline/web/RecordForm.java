package dev.leakline.web;

import org.jspecify.annotations.Nullable;

/** The form of a record, which is compiled into each record of results, since TeaVM has no reflection of records. */
public interface RecordForm {
    /** Each component as {@code name:what it is}, separated by blanks, with a {@code ?} before those that may be null. */
    String recordComponents();

    /** The values of the components, in their order. */
    @Nullable
    Object[] recordValues();

    /** A record of the same class with other values. */
    Object recordOf(@Nullable Object[] values);
}
