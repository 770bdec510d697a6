package dev.leakline.python;

/**
 * Goes over tokens; all parts of the parser share one.
 *
 * <p>It also bounds the depth of the tree, so that neither the parser nor a visitor runs out of stack, whatever the text. Two things make a
 * tree deep: what is written in brackets, blocks and behind prefixes, for which the parser calls itself, and chains such as {@code a + b + c},
 * whose tree leans to the left. Levels of the first kind are counted where the parser enters them; of the second kind it counts how many
 * lie above one another in what was read last. Both bounds are above what Python itself accepts or people write.
 */
final class TokenReader {
    /** The most levels: CPython accepts 200 brackets in each other, and 100 blocks. */
    static final int MOST_NESTED = 200;
    /** The most links of a chain: CPython gives up at some 3,000, most of what programs write for other programs has a few hundred. */
    static final int MOST_CHAINED = 1000;

    /** A token that nothing there can begin with; caught where statements are read. */
    static final class Unexpected extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int offset;

        Unexpected(int offset, String message) {
            super(message, null, false, false);
            this.offset = offset;
        }

        SyntaxError error() {
            return new SyntaxError(offset, String.valueOf(getMessage()));
        }
    }

    /** A place to go back to. */
    record Mark(int at, int depth, int chained, int nodes, int parentheses) {}

    final NodeStack nodes = new NodeStack();
    final Parentheses parentheses = new Parentheses();
    private final Tokens tokens;
    private final Token[] kinds;
    private int at;
    private int depth;
    private int chained;

    TokenReader(Tokens tokens) {
        this.tokens = tokens;
        this.kinds = tokens.kinds;
    }

    Mark mark() {
        return new Mark(at, depth, chained, nodes.size(), parentheses.size());
    }

    void goBackTo(Mark mark) {
        at = mark.at;
        restore(mark);
        parentheses.truncate(mark.parentheses);
    }

    /** Forgets the levels and nodes of what was begun and not read to its end. */
    void restore(Mark mark) {
        depth = mark.depth;
        chained = mark.chained;
        nodes.truncate(mark.nodes);
    }

    Token kind() {
        return kinds[at];
    }

    /** The kind of the token after this one, or further on; the last token has {@link Token#END} behind it. */
    Token kind(int ahead) {
        return kinds[Math.min(at + ahead, tokens.count - 1)];
    }

    boolean is(Token kind) {
        return kinds[at] == kind;
    }

    /** The start of this token. */
    int start() {
        return tokens.starts[at];
    }

    /** The end of the last token. */
    int end() {
        return at == 0 ? 0 : tokens.ends[at - 1];
    }

    /** The end of the last block: that of the last token of its last line. */
    int blockEnd() {
        int last = at - 1;
        while (last > 0
                && (kinds[last] == Token.NEWLINE || kinds[last] == Token.DEDENT || kinds[last] == Token.INDENT)) {
            last--;
        }
        return last < 0 ? 0 : tokens.ends[last];
    }

    void advance() {
        if (kinds[at] != Token.END) {
            at++;
        }
    }

    boolean take(Token kind) {
        if (kinds[at] != kind) {
            return false;
        }
        at++;
        return true;
    }

    void need(Token kind) {
        if (kinds[at] != kind) {
            throw unexpected();
        }
        at++;
    }

    String name() {
        String word = tokens.words[at];
        need(Token.NAME);
        return NameTable.identifier(word == null ? "" : word);
    }

    /** Tells whether this token is a name that is a keyword in some places. */
    boolean isWord(String word) {
        return kinds[at] == Token.NAME && word.equals(tokens.words[at]);
    }

    Unexpected unexpected() {
        return new Unexpected(start(), "invalid syntax");
    }

    void error(SyntaxError error) {
        tokens.errors.add(error);
    }

    /** Goes a level deeper. */
    void enter() {
        if (++depth > MOST_NESTED) {
            throw new Unexpected(start(), "is nested too deeply");
        }
    }

    void leave() {
        depth--;
    }

    boolean isDeep() {
        return depth >= MOST_NESTED;
    }

    /** Begins a chain: counts what is read from here on for itself, and answers what was counted before. */
    int beginChain() {
        int before = chained;
        chained = 0;
        return before;
    }

    /** Adds a link to the chain, on top of all that it has so far. */
    void link() {
        if (++chained > MOST_CHAINED) {
            throw new Unexpected(start(), "is nested too deeply");
        }
    }

    void endChain(int before) {
        chained = Math.max(before, chained);
    }
}
