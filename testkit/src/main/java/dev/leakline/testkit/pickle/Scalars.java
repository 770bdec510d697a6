package dev.leakline.testkit.pickle;

import java.io.IOException;
import java.math.BigInteger;

/** The opcodes of one dialect for values without contents, and for the memo. */
interface Scalars {

    void none();

    void bool(boolean value);

    void number(long value);

    void number(BigInteger value);

    void number(double value);

    void text(String text) throws IOException;

    /** Stores the value written last under an index, which is always the next one unused. */
    void put(int index);

    void get(int index);
}
