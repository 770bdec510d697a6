package dev.leakline.hash;

/** Gives keys that come from a file numbers from 0 up, in the order in which they first come. */
public final class Numbering {
    /** Numbers plus one, since 0 stands for keys that have none. */
    private final SeededLongIntMap numbers = new SeededLongIntMap();

    /** The number of a key: {@link #size()} until now where it is new. */
    public int of(long key) {
        int known = numbers.get(key);
        if (known == 0) {
            known = numbers.size() + 1;
            numbers.put(key, known);
        }
        return known - 1;
    }

    /** Distinct keys so far; numbers are below it. */
    public int size() {
        return numbers.size();
    }
}
