package dev.leakline.source.lines;

import java.util.Arrays;

/** Where the characters of a piece stood in the input: one behind the other, but where something was left out. */
final class Origins {
    /** The characters before which something was left out, and where they stood. */
    private int[] places = new int[4];

    private long[] origins = new long[4];
    private int count;

    /** Forgets all. */
    void clear() {
        count = 0;
    }

    /** The character of a place, the next one, stood there. */
    void come(int place, long origin) {
        if (count == 0 || origins[count - 1] + place - places[count - 1] != origin) {
            if (count == places.length) {
                places = Arrays.copyOf(places, 2 * count);
                origins = Arrays.copyOf(origins, 2 * count);
            }
            places[count] = place;
            origins[count++] = origin;
        }
    }

    /** Forgets the first characters, so many. */
    void drop(int characters) {
        int jump = jump(characters);
        for (int i = jump; i < count; i++) {
            origins[i - jump] = origins[i] + Math.max(characters - places[i], 0);
            places[i - jump] = Math.max(places[i] - characters, 0);
        }
        count -= jump;
    }

    /** Takes over those of another piece. */
    void copy(Origins other) {
        count = other.count;
        if (places.length < count) {
            places = new int[other.places.length];
            origins = new long[other.places.length];
        }
        System.arraycopy(other.places, 0, places, 0, count);
        System.arraycopy(other.origins, 0, origins, 0, count);
    }

    /** Where a character stood. */
    long of(int place) {
        int jump = jump(place);
        return origins[jump] + place - places[jump];
    }

    private int jump(int place) {
        int found = Arrays.binarySearch(places, 0, count, place);
        return found < 0 ? -found - 2 : found;
    }
}
