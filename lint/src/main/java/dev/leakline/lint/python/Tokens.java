package dev.leakline.lint.python;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tokens of a text. What is no token, or is indented as no block is, throws {@link Unexpected}. */
final class Tokens {
    /** Columns go on to the next multiple, as for Python itself. */
    private static final int TAB = 8;
    /** No word of Python's own is longer, and none as short as one letter. */
    private static final int LONGEST_KEYWORD = "continue".length();

    private static final int CHARS_PER_TOKEN = 4;

    /** The text is no Python that this parser reads; thrown often, so without a stack. */
    static final class Unexpected extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unexpected() {
            super(null, null, false, false);
        }
    }

    private final PythonText source;
    private final String text;
    private final int end;
    private int at;
    private int depth;

    private Token[] kinds;
    private int[] starts;
    private int[] ends;
    private int count;
    private final List<Syntax> comments = new ArrayList<>();
    /** By the number of a comment that stands alone on a line: its column. */
    private int[] columns = new int[16];

    private int[] indents = new int[16];
    private int level;

    private Tokens(PythonText source, int start, int end) {
        this.source = source;
        this.text = source.text();
        this.at = start;
        this.end = end;
        int room = (end - start) / CHARS_PER_TOKEN + 16;
        kinds = new Token[room];
        starts = new int[room];
        ends = new int[room];
    }

    /** Of a whole file. */
    static Tokens of(PythonText source) {
        Tokens tokens = new Tokens(source, 0, source.text().length());
        tokens.readLines();
        return tokens;
    }

    /** Of an expression in braces, as f-strings have them: line breaks are white space. */
    static Tokens inside(PythonText source, int start, int end) {
        Tokens tokens = new Tokens(source, start, end);
        tokens.depth = 1;
        tokens.readTokens();
        tokens.add(Token.END, end, end);
        return tokens;
    }

    Token kind(int index) {
        return kinds[index];
    }

    int start(int index) {
        return starts[index];
    }

    /** Where a token ends; of a NEWLINE and a DEDENT, where the comments end that belong to the block before it. */
    int end(int index) {
        return ends[index];
    }

    List<Syntax> comments() {
        return comments;
    }

    private void add(Token kind, int start, int stop) {
        if (count == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        kinds[count] = kind;
        starts[count] = start;
        ends[count++] = stop;
    }

    private char peek(int offset) {
        return at + offset < end ? text.charAt(at + offset) : '\0';
    }

    private void readLines() {
        if (peek(0) == '\uFEFF') {
            at++;
        }
        while (at < end) {
            int before = comments.size();
            int column = indentation();
            indent(column, before);
            if (at < end) {
                readTokens();
                int stop = ends[count - 1];
                if (peek(0) == '#') {
                    comment();
                    stop = at;
                }
                add(Token.NEWLINE, stop, stop);
                if (depth > 0) {
                    throw new Unexpected();
                }
                lineBreak();
            }
        }
        indent(0, comments.size());
        add(Token.END, end, end);
    }

    /** Skips blank lines and comments; the column of the first token after them, 0 at the end of the text. */
    private int indentation() {
        int column = 0;
        while (at < end) {
            char c = text.charAt(at);
            switch (c) {
                case ' ' -> {
                    column++;
                    at++;
                }
                case '\t' -> {
                    column += TAB;
                    at++;
                }
                case '\f', '\n', '\r' -> {
                    column = 0;
                    at++;
                }
                case '#' -> {
                    comment();
                    columns = add(columns, comments.size() - 1, column);
                }
                case '\\' -> throw new Unexpected();
                default -> {
                    return column;
                }
            }
        }
        return 0;
    }

    private static int[] add(int[] numbers, int index, int number) {
        int[] grown = index < numbers.length ? numbers : Arrays.copyOf(numbers, 2 * index);
        grown[index] = number;
        return grown;
    }

    private void comment() {
        int start = at;
        while (at < end && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
            at++;
        }
        comments.add(new Syntax(source, "comment", start, at));
    }

    /** Opens or closes blocks. Comments before a line that closes one belong to it as long as they are indented as it is. */
    private void indent(int column, int firstComment) {
        if (column > indents[level]) {
            if (at == end) {
                return;
            }
            indents = add(indents, ++level, column);
            add(Token.INDENT, at, at);
            return;
        }
        int next = firstComment;
        while (column < indents[level]) {
            int stop = -1;
            while (next < comments.size() && columns[next] >= indents[level]) {
                stop = comments.get(next++).end();
            }
            add(Token.DEDENT, at, stop);
            level--;
        }
        if (column != indents[level]) {
            throw new Unexpected();
        }
    }

    private void lineBreak() {
        if (peek(0) == '\r') {
            at++;
        }
        if (peek(0) == '\n') {
            at++;
        }
    }

    /** Up to the end of the line, or of the text; on over lines that end inside brackets. */
    private void readTokens() {
        while (at < end) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\t' || c == '\f') {
                at++;
            } else if (c == '\n' || c == '\r') {
                if (depth == 0) {
                    return;
                }
                at++;
            } else if (c == '#') {
                if (depth == 0) {
                    return;
                }
                comment();
            } else if (c == '\\') {
                at++;
                if (peek(0) != '\n' && peek(0) != '\r') {
                    throw new Unexpected();
                }
                lineBreak();
            } else if (Character.isUnicodeIdentifierStart(c) || c == '_') {
                word();
            } else if ((c >= '0' && c <= '9') || (c == '.' && isDigit(peek(1)))) {
                number();
            } else if (c == '"' || c == '\'') {
                string(at);
            } else {
                operator(c);
            }
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** A string whose prefix begins here, if it has one. */
    private void string(int start) {
        at = StringScan.end(text, start, end);
        add(Token.STRING, start, at);
    }

    /** A name, a keyword, or the prefix of a string. */
    private void word() {
        int start = at;
        while (at < end && Character.isUnicodeIdentifierPart(text.charAt(at))) {
            at++;
        }
        char next = peek(0);
        int length = at - start;
        if ((next == '"' || next == '\'') && StringScan.isPrefix(text, start, at)) {
            string(start);
            return;
        }
        Token keyword = length > 1 && length <= LONGEST_KEYWORD ? Token.keyword(text.substring(start, at)) : null;
        add(keyword == null ? Token.NAME : keyword, start, at);
    }

    /** The grammar calls imaginary numbers without a dot integers. */
    private void number() {
        int start = at;
        boolean based = peek(0) == '0' && "xXoObB".indexOf(peek(1)) >= 0;
        boolean isFloat = false;
        if (based) {
            at += 2;
        }
        while (at < end) {
            char c = text.charAt(at);
            boolean exponent = !based && (c == 'e' || c == 'E');
            if (c == '.' && !based) {
                isFloat = true;
            } else if (exponent && (peek(1) == '-' || peek(1) == '+')) {
                isFloat = true;
                at++;
            } else if (exponent) {
                isFloat = true;
            } else if (!Character.isLetterOrDigit(c) && c != '_') {
                break;
            }
            at++;
        }
        add(isFloat ? Token.FLOAT : Token.INTEGER, start, at);
    }

    private void operator(char c) {
        Token kind = operatorAt(c, peek(1));
        int length = kind == Token.AUGMENT ? augmentLength(c) : kind.text.length();
        switch (kind) {
            case OPEN, OPEN_LIST, OPEN_BRACE -> depth++;
            case CLOSE, CLOSE_LIST, CLOSE_BRACE -> depth--;
            default -> {}
        }
        if (depth < 0) {
            throw new Unexpected();
        }
        add(kind, at, at + length);
        at += length;
    }

    private int augmentLength(char c) {
        return peek(1) == c ? 3 : 2;
    }

    private Token operatorAt(char c, char next) {
        boolean twice = next == c;
        if (next == '=' && "+-*/%@&|^".indexOf(c) >= 0) {
            return Token.AUGMENT;
        }
        if (twice && peek(2) == '=' && "*/<>".indexOf(c) >= 0) {
            return Token.AUGMENT;
        }
        return switch (c) {
            case '(' -> Token.OPEN;
            case ')' -> Token.CLOSE;
            case '[' -> Token.OPEN_LIST;
            case ']' -> Token.CLOSE_LIST;
            case '{' -> Token.OPEN_BRACE;
            case '}' -> Token.CLOSE_BRACE;
            case ',' -> Token.COMMA;
            case ';' -> Token.SEMICOLON;
            case '~' -> Token.TILDE;
            case '%' -> Token.PERCENT;
            case '@' -> Token.AT;
            case '&' -> Token.AMPERSAND;
            case '|' -> Token.BAR;
            case '^' -> Token.CARET;
            case '+' -> Token.PLUS;
            case ':' -> next == '=' ? Token.WALRUS : Token.COLON;
            case '.' -> twice && peek(2) == '.' ? Token.ELLIPSIS : Token.DOT;
            case '=' -> twice ? Token.EQUAL : Token.ASSIGN;
            case '-' -> next == '>' ? Token.ARROW : Token.MINUS;
            case '*' -> twice ? Token.POWER : Token.STAR;
            case '/' -> twice ? Token.DOUBLE_SLASH : Token.SLASH;
            case '<' -> twice ? Token.SHIFT_LEFT : next == '=' ? Token.LESS_EQUAL : Token.LESS;
            case '>' -> twice ? Token.SHIFT_RIGHT : next == '=' ? Token.MORE_EQUAL : Token.MORE;
            case '!' -> {
                if (next != '=') {
                    throw new Unexpected();
                }
                yield Token.NOT_EQUAL;
            }
            default -> throw new Unexpected();
        };
    }
}
