package dev.leakline.lint.python;

import dev.leakline.lint.python.Tokens.Unexpected;
import java.util.List;

/** Goes over tokens, and makes nodes of what it read. */
class TokenReader {
    /** Deeper nesting is left to the parser that needs no stack for it. */
    static final int DEEPEST = 100;

    final PythonText source;

    final Tokens tokens;

    int at;

    int depth;

    TokenReader(PythonText source, Tokens tokens) {
        this.source = source;
        this.tokens = tokens;
    }

    final Token kind() {
        return tokens.kind(at);
    }

    final Token kind(int ahead) {
        return tokens.kind(at + ahead);
    }

    final boolean is(Token kind) {
        return tokens.kind(at) == kind;
    }

    final boolean skip(Token kind) {
        boolean found = is(kind);
        at += found ? 1 : 0;
        return found;
    }

    final int expect(Token kind) {
        if (!is(kind)) {
            throw new Unexpected();
        }
        return at++;
    }

    final int start() {
        return tokens.start(at);
    }

    /** Where the last token that was read ends. */
    final int end() {
        return tokens.end(at - 1);
    }

    final Syntax node(String type, int start, int end, List<Syntax> children) {
        Syntax made = new Syntax(source, type, start, end);
        made.setChildren(children);
        return made;
    }

    final Syntax node(String type, int start, Syntax... children) {
        return node(type, start, end(), List.of(children));
    }

    /** The next token as a node. */
    final Syntax leaf(String type) {
        Syntax made = new Syntax(source, type, start(), tokens.end(at));
        at++;
        return made;
    }

    final Syntax wrapped(String type, int start, Syntax inner) {
        return node(type, start, inner);
    }

    final Syntax name() {
        if (!is(Token.NAME)) {
            throw new Unexpected();
        }
        return leaf("identifier");
    }
}
