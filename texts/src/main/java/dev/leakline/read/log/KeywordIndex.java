package dev.leakline.read.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Many keywords, looked for in one pass over a text (Aho and Corasick's automaton). Only letters and digits count: what stands between
 * them, line ends included, is skipped, so that a keyword is found wherever a terminal cut it in two.
 *
 * <p>The cost is one look into a table per character, however many keywords there are. What is found is a candidate, as all digits are
 * one.
 */
final class KeywordIndex {
    private static final int CLASS_BITS = 5;
    private static final int LETTERS = 26;
    private static final int ASCII = 128;
    private static final byte[] CLASSES = classes();

    /** The next state by state and class; its complement where keywords end there. */
    private final int[] next;

    private final int[][] endings;
    private final int[] ranks;
    private int state;

    private static byte[] classes() {
        byte[] classes = new byte[ASCII];
        for (int i = 0; i < LETTERS; i++) {
            classes['a' + i] = (byte) (i + 1);
            classes['A' + i] = (byte) (i + 1);
        }
        for (int digit = '0'; digit <= '9'; digit++) {
            classes[digit] = LETTERS + 1;
        }
        return classes;
    }

    /** Shares the tables of another, and begins at the beginning. */
    KeywordIndex(KeywordIndex other) {
        next = other.next;
        endings = other.endings;
        ranks = other.ranks;
    }

    /** An index of keywords, each with a rank. */
    KeywordIndex(List<String> keywords, List<Integer> ranksOfThem) {
        Builder builder = new Builder();
        for (int i = 0; i < keywords.size(); i++) {
            builder.put(keywords.get(i), i);
        }
        builder.link();
        int states = builder.found.size();
        next = new int[states << CLASS_BITS];
        endings = new int[states][];
        ranks = new int[states];
        for (int i = 0; i < states; i++) {
            endings[i] =
                    builder.found.get(i).stream().mapToInt(number -> number).toArray();
            ranks[i] = builder.found.get(i).stream()
                    .mapToInt(ranksOfThem::get)
                    .max()
                    .orElse(0);
        }
        for (int i = 0; i < next.length; i++) {
            int to = builder.next.get(i);
            next[i] = endings[to].length == 0 ? to : ~to;
        }
        for (int i = 0; i < states; i++) {
            next[i << CLASS_BITS] = i; // what is no letter changes nothing, and ends no keyword twice
        }
    }

    /** Returns whether a character counts. */
    static boolean isCounted(char character) {
        return character < ASCII && CLASSES[character] != 0;
    }

    /** Forgets what was read. */
    void restart() {
        state = 0;
    }

    /** How far the keywords are that what was read may be the beginning of. */
    int state() {
        return state;
    }

    /** Goes on as from a state that was told. */
    void resume(int told) {
        state = told;
    }

    /** Reads on; the place behind the next keyword, or -1 where none ends before {@code to}. */
    int find(char[] text, int from, int to) {
        int at = state;
        for (int i = from; i < to; i++) {
            char character = text[i];
            int symbol = character < ASCII ? CLASSES[character] : 0;
            at = next[at << CLASS_BITS | symbol];
            if (at < 0) {
                state = ~at;
                return i + 1;
            }
        }
        state = at;
        return -1;
    }

    /** The keywords that ended where the last was found, by their numbers. */
    int[] found() {
        return endings[state];
    }

    /** The highest rank of those. */
    int rank() {
        return ranks[state];
    }

    /** The tree of all keywords, and where to go on from each place of it. */
    private static final class Builder {
        private final List<Integer> next = new ArrayList<>();
        private final List<List<Integer>> found = new ArrayList<>();

        private Builder() {
            add();
        }

        private int add() {
            for (int i = 0; i < 1 << CLASS_BITS; i++) {
                next.add(-1);
            }
            found.add(new ArrayList<>());
            return found.size() - 1;
        }

        private void put(String keyword, int number) {
            int at = 0;
            for (int i = 0; i < keyword.length(); i++) {
                int edge = at << CLASS_BITS | CLASSES[keyword.charAt(i)];
                if (next.get(edge) < 0) {
                    next.set(edge, add());
                }
                at = next.get(edge);
            }
            found.get(at).add(number);
        }

        private void link() {
            int[] shorter = new int[found.size()];
            ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(0));
            while (!queue.isEmpty()) {
                int at = queue.remove();
                for (int symbol = 0; symbol < 1 << CLASS_BITS; symbol++) {
                    int edge = at << CLASS_BITS | symbol;
                    int other = at == 0 ? 0 : next.get(shorter[at] << CLASS_BITS | symbol);
                    int to = next.get(edge);
                    if (to < 0) {
                        next.set(edge, other);
                    } else {
                        shorter[to] = other;
                        found.get(to).addAll(found.get(other));
                        queue.add(to);
                    }
                }
            }
        }
    }
}
