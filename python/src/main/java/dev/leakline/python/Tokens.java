package dev.leakline.python;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tokens of a file as columns, and what stands beside them: comments and errors. */
final class Tokens {
    private static final int FIRST_SIZE = 1024;

    Token[] kinds = new Token[FIRST_SIZE];
    int[] starts = new int[FIRST_SIZE];
    int[] ends = new int[FIRST_SIZE];
    /** The words of names and keywords. */
    @Nullable
    String[] words = new @Nullable String[FIRST_SIZE];

    int count;
    final List<PythonFile.Comment> comments = new ArrayList<>();
    final List<SyntaxError> errors = new ArrayList<>();

    void add(Token kind, int start, int end) {
        add(kind, start, end, null);
    }

    void add(Token kind, int start, int end, @Nullable String word) {
        if (count == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
            words = Arrays.copyOf(words, 2 * count);
        }
        kinds[count] = kind;
        starts[count] = start;
        ends[count] = end;
        words[count++] = word;
    }

    void error(int offset, String message) {
        errors.add(new SyntaxError(offset, message));
    }

    boolean endsWith(Token kind) {
        return count > 0 && kinds[count - 1] == kind;
    }

    /** Takes back what was read since there were so many. */
    void truncate(int tokenCount, int commentCount, int errorCount) {
        count = tokenCount;
        comments.subList(commentCount, comments.size()).clear();
        errors.subList(errorCount, errors.size()).clear();
    }
}
