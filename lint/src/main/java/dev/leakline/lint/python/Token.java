package dev.leakline.lint.python;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a token of Python is. */
enum Token {
    NAME,
    INTEGER,
    FLOAT,
    STRING,
    NEWLINE,
    INDENT,
    DEDENT,
    END,
    OPEN("("),
    CLOSE(")"),
    OPEN_LIST("["),
    CLOSE_LIST("]"),
    OPEN_BRACE("{"),
    CLOSE_BRACE("}"),
    COMMA(","),
    COLON(":"),
    DOT("."),
    ELLIPSIS("..."),
    SEMICOLON(";"),
    ASSIGN("="),
    WALRUS(":="),
    ARROW("->"),
    /** Such as +=. */
    AUGMENT,
    OR("or", 1),
    AND("and", 2),
    NOT("not"),
    LESS("<", 4),
    LESS_EQUAL("<=", 4),
    EQUAL("==", 4),
    NOT_EQUAL("!=", 4),
    MORE_EQUAL(">=", 4),
    MORE(">", 4),
    IN("in", 4),
    IS("is", 4),
    BAR("|", 5),
    CARET("^", 6),
    AMPERSAND("&", 7),
    SHIFT_LEFT("<<", 8),
    SHIFT_RIGHT(">>", 8),
    PLUS("+", 9),
    MINUS("-", 9),
    STAR("*", 10),
    SLASH("/", 10),
    DOUBLE_SLASH("//", 10),
    PERCENT("%", 10),
    AT("@", 10),
    TILDE("~"),
    POWER("**"),
    TRUE("True"),
    FALSE("False"),
    NONE("None"),
    AS("as"),
    ASSERT("assert"),
    ASYNC("async"),
    AWAIT("await"),
    BREAK("break"),
    CLASS("class"),
    CONTINUE("continue"),
    DEF("def"),
    DEL("del"),
    ELIF("elif"),
    ELSE("else"),
    EXCEPT("except"),
    FINALLY("finally"),
    FOR("for"),
    FROM("from"),
    GLOBAL("global"),
    IF("if"),
    IMPORT("import"),
    LAMBDA("lambda"),
    NONLOCAL("nonlocal"),
    PASS("pass"),
    RAISE("raise"),
    RETURN("return"),
    TRY("try"),
    WHILE("while"),
    WITH("with"),
    YIELD("yield");

    /** The weakest binds first; of what is no binary operator 0. */
    static final int COMPARISON = 4;

    static final int NEGATION = 3;

    final String text;
    final int precedence;

    Token() {
        this("", 0);
    }

    Token(String text) {
        this(text, 0);
    }

    Token(String text, int precedence) {
        this.text = text;
        this.precedence = precedence;
    }

    private static final Map<String, Token> KEYWORDS = keywords();

    private static Map<String, Token> keywords() {
        Map<String, Token> words = new HashMap<>();
        for (Token token : values()) {
            if (!token.text.isEmpty() && Character.isLetter(token.text.charAt(0))) {
                words.put(token.text, token);
            }
        }
        return words;
    }

    /** The keyword of a word, or null. */
    static @Nullable Token keyword(String word) {
        return KEYWORDS.get(word);
    }
}
