package dev.leakline.python;

/**
 * Cuts the text of a Python file into tokens, all of them in one go, and never fails.
 *
 * <p>As in CPython since 3.12, a format string is no token but many: its start, stretches of text, the tokens of its replacement fields, its
 * end. {@link OpenBrackets} says at each place whether text or a token comes next, so strings nest in each other without end.
 *
 * <p>A text that is no Python is read on with the least harm, and each character a bounded number of times:
 *
 * <ul>
 *   <li>A keyword that begins a statement, as the first word of a line, ends all brackets that are open: in Python it can stand in none.
 *   <li>A string that has to end on its line ends there; one of three quotes that ends nowhere ends on its line as well, if it has no fields.
 *   <li>Since 3.12 a field may go over lines, whatever the quotes of its string. If such a string ends nowhere, or brackets do, reading goes
 *       back, once for a file, to where the field went over its first line, and from there on none does.
 *   <li>What begins no token is one, {@link Token#UNKNOWN}, and the parser's business.
 * </ul>
 */
final class Lexer {
    private static final int TAB = 8;
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final Characters text;
    private final char[] chars;
    private final int end;
    private final Tokens tokens = new Tokens();
    private final NameTable names = NameTable.create();
    private final OpenBrackets open = new OpenBrackets();
    private final Indents indents = new Indents(tokens);
    private final StringScanner strings;
    private int at;

    /** The place where a field first went over a line, or -1; and what had been read until then. */
    private int crossing = -1;

    private int crossingTokens;
    private int crossingComments;
    private int crossingErrors;
    private int crossingDepth;
    private boolean mayCross = true;

    private Lexer(Characters text) {
        this.text = text;
        this.chars = text.chars;
        this.end = text.end;
        this.strings = new StringScanner(text, tokens);
    }

    static Tokens read(Characters text) {
        return new Lexer(text).run();
    }

    private Tokens run() {
        if (chars[0] == BYTE_ORDER_MARK) {
            at++;
        }
        startLine();
        do {
            while (at < end) {
                if (open.isText()) {
                    stringText();
                } else {
                    token();
                }
            }
        } while (goBack());
        finish();
        return tokens;
    }

    private void finish() {
        if (!open.isEmpty()) {
            neverClosed();
        }
        if (!tokens.endsWith(Token.NEWLINE) && tokens.count > 0) {
            tokens.add(Token.NEWLINE, end, end);
        }
        indents.finish(end);
        tokens.add(Token.END, end, end);
    }

    /** Goes back to where a field of a string that ends nowhere went over a line, if one did. */
    private boolean goBack() {
        if (crossing < 0) {
            return false;
        }
        at = crossing;
        tokens.truncate(crossingTokens, crossingComments, crossingErrors);
        mayCross = false;
        strings.forget();
        endString(crossingDepth);
        return true;
    }

    private void token() {
        char c = chars[at];
        if (Characters.isLetter(c)) {
            word();
        } else if (c == ' ' || c == '\t' || c == '\f') {
            at++;
        } else if (c == '\n' || c == '\r') {
            lineBreak();
        } else if (c == '#') {
            comment();
        } else if (c == '"' || c == '\'') {
            string(at, at);
        } else if (Characters.isDigit(c) || (c == '.' && Characters.isDigit(chars[at + 1]))) {
            int stop = Numerals.end(chars, at);
            add(Numerals.kind(chars, at, stop), stop - at);
        } else if (c == '\\') {
            continuation();
        } else if (c >= 0x80) {
            otherWord();
        } else {
            operator(c);
        }
    }

    private void comment() {
        int stop = text.lineEnd(at);
        tokens.comments.add(new PythonFile.Comment(at, stop));
        at = stop;
    }

    private void continuation() {
        int next = at + 1;
        if (chars[next] == '\n' || chars[next] == '\r') {
            at = text.afterBreak(next);
        } else {
            add(Token.UNKNOWN, 1);
        }
    }

    private void otherWord() {
        if (text.isIdentifierStart(at)) {
            word();
        } else {
            add(Token.UNKNOWN, text.characterLength(at));
        }
    }

    private void word() {
        int stop = text.wordEnd(at);
        char next = chars[stop];
        if ((next == '"' || next == '\'') && strings.prefix(at, stop) >= 0) {
            string(at, stop);
            return;
        }
        int slot = names.slot(chars, at, stop);
        Token kind = names.token(slot);
        if (kind != Token.NAME && !open.isEmpty() && kind.isOnlyStatement() && text.isFirstOfLine(at)) {
            closeBefore(at);
            return;
        }
        tokens.add(kind, at, stop, names.word(slot));
        at = stop;
    }

    /** Ends whatever is open before a statement that begins at the place. */
    private void closeBefore(int place) {
        if (goBack()) {
            return;
        }
        neverClosed();
        at = text.lineStart(place);
        open.closeTo(0);
        tokens.add(Token.NEWLINE, at, at);
        startLine();
    }

    private void neverClosed() {
        int top = open.top();
        boolean isBracket = top == OpenBrackets.BRACKET || top == OpenBrackets.BRACE;
        tokens.error(
                open.place(),
                isBracket ? "'" + chars[open.place()] + "' was never closed" : StringScanner.UNTERMINATED);
    }

    private void lineBreak() {
        int next = text.afterBreak(at);
        if (open.isEmpty()) {
            tokens.add(Token.NEWLINE, at, next);
            at = next;
            startLine();
        } else if (open.isInShortString() && !mayCross) {
            endString(open.outsideShortString());
        } else {
            if (open.isInShortString() && crossing < 0) {
                noteCrossing();
            }
            at = next;
        }
    }

    private void noteCrossing() {
        crossing = at;
        crossingTokens = tokens.count;
        crossingComments = tokens.comments.size();
        crossingErrors = tokens.errors.size();
        crossingDepth = open.outsideShortString();
    }

    /** Ends a format string, and all that is open in it, before its closing quotes. */
    private void endString(int depth) {
        tokens.error(at, StringScanner.UNTERMINATED);
        tokens.add(Token.FSTRING_END, at, at);
        closeString(depth);
    }

    private void closeString(int depth) {
        open.closeTo(depth);
        if (depth <= crossingDepth) {
            crossing = -1;
        }
    }

    /** Reads the white space before a line, and passes over lines that have nothing else but a comment. */
    private void startLine() {
        int column = 0;
        int characters = 0;
        for (; ; at++) {
            char c = chars[at];
            if (c == ' ' || c == '\t') {
                column = c == ' ' ? column + 1 : (column / TAB + 1) * TAB;
                characters++;
            } else if (c == '\f' || (at < end && isBlankFrom(c))) {
                column = 0;
                characters = 0;
            } else {
                break;
            }
        }
        if (at < end) {
            indents.indent(column, characters, at);
        }
    }

    /** Passes over the end of a line without tokens, to its last character. */
    private boolean isBlankFrom(char c) {
        if (c == '#') {
            comment();
        } else if (c != '\n' && c != '\r') {
            return false;
        }
        at = at < end ? text.afterBreak(at) - 1 : end - 1;
        return true;
    }

    private void string(int start, int quotes) {
        int letters = strings.prefix(start, quotes);
        char quote = chars[quotes];
        boolean isTriple = chars[quotes + 1] == quote && chars[quotes + 2] == quote;
        int inside = quotes + (isTriple ? 3 : 1);
        if ((letters & (StringScanner.FORMAT | StringScanner.TEMPLATE)) != 0) {
            boolean isTemplate = (letters & StringScanner.TEMPLATE) != 0;
            tokens.add(isTemplate ? Token.TSTRING_START : Token.FSTRING_START, start, inside);
            open.openString(quote, isTriple, (letters & StringScanner.RAW) != 0, start);
            at = inside;
        } else {
            int stop = isTriple ? strings.tripleEnd(inside, quote) : strings.shortEnd(inside, quote);
            tokens.add((letters & StringScanner.BYTES) != 0 ? Token.BYTES : Token.STRING, start, stop);
            at = stop;
        }
    }

    /** Reads text of a format string, up to what ends it: a field, the quotes, the brace behind a specification. */
    private void stringText() {
        int start = at;
        char quote = open.quote();
        at = strings.textEnd(at, open);
        if (at > start) {
            tokens.add(Token.FSTRING_MIDDLE, start, at);
        }
        if (at < end) {
            endText(chars[at], quote);
        }
    }

    private void endText(char c, char quote) {
        if (c == '{') {
            add(Token.LEFT_BRACE, 1);
            open.openIn(OpenBrackets.FIELD);
        } else if (c == quote) {
            boolean isTriple = open.isTriple();
            if (open.top() == OpenBrackets.SPECIFICATION) {
                tokens.error(at, "expecting '}' in a format string");
            }
            add(Token.FSTRING_END, isTriple ? 3 : 1);
            open.closeInnermost(OpenBrackets.STRING);
            closeString(open.size());
        } else if (open.top() == OpenBrackets.SPECIFICATION) {
            open.close();
        } else {
            endString(open.size() - 1);
        }
    }

    private void add(Token kind, int length) {
        tokens.add(kind, at, at + length);
        at += length;
    }

    private void operator(char c) {
        switch (c) {
            case '(', '[' -> {
                open.open(OpenBrackets.BRACKET, at);
                add(c == '(' ? Token.LEFT_PAREN : Token.LEFT_BRACKET, 1);
            }
            case '{' -> {
                open.open(OpenBrackets.BRACE, at);
                add(Token.LEFT_BRACE, 1);
            }
            case ')', ']' -> {
                add(c == ')' ? Token.RIGHT_PAREN : Token.RIGHT_BRACKET, 1);
                if (!open.isEmpty() && open.top() <= OpenBrackets.BRACE) {
                    open.close();
                }
            }
            case '}' -> {
                add(Token.RIGHT_BRACE, 1);
                if (open.top() == OpenBrackets.BRACE || (open.top() == OpenBrackets.BRACKET && !open.isInField())) {
                    open.close();
                } else if (open.isInField()) {
                    open.closeInnermost(OpenBrackets.FIELD);
                }
            }
            case ':' -> colon();
            case '!' -> add(chars[at + 1] == '=' ? Token.NOT_EQUAL : Token.EXCLAMATION, chars[at + 1] == '=' ? 2 : 1);
            default -> {
                Token kind = Punctuation.at(chars, at);
                String operator = kind.text();
                add(kind, operator == null ? 1 : operator.length());
            }
        }
    }

    /** A colon that is in no bracket of its field begins the specification, also before an equals sign. */
    private void colon() {
        if (open.top() == OpenBrackets.FIELD) {
            add(Token.COLON, 1);
            open.openIn(OpenBrackets.SPECIFICATION);
        } else {
            boolean isWalrus = chars[at + 1] == '=';
            add(isWalrus ? Token.WALRUS : Token.COLON, isWalrus ? 2 : 1);
        }
    }
}
