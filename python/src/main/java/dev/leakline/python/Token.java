package dev.leakline.python;

import org.jspecify.annotations.Nullable;

/** The kinds of tokens: those of Python's own tokenizer, with a kind of its own for each operator and keyword. */
enum Token {
    END,
    NEWLINE,
    INDENT,
    DEDENT,
    /** A character that no token of Python begins with. */
    UNKNOWN,
    NAME,
    INT,
    FLOAT,
    IMAGINARY,
    STRING,
    BYTES,
    FSTRING_START,
    TSTRING_START,
    FSTRING_MIDDLE,
    FSTRING_END,

    LEFT_PAREN("("),
    RIGHT_PAREN(")"),
    LEFT_BRACKET("["),
    RIGHT_BRACKET("]"),
    LEFT_BRACE("{"),
    RIGHT_BRACE("}"),
    COMMA(","),
    COLON(":"),
    SEMICOLON(";"),
    DOT("."),
    ELLIPSIS("..."),
    ARROW("->"),
    WALRUS(":="),
    EXCLAMATION("!"),

    EQUAL("="),
    PLUS_EQUAL("+="),
    MINUS_EQUAL("-="),
    STAR_EQUAL("*="),
    SLASH_EQUAL("/="),
    FLOOR_EQUAL("//="),
    PERCENT_EQUAL("%="),
    AT_EQUAL("@="),
    AND_EQUAL("&="),
    OR_EQUAL("|="),
    XOR_EQUAL("^="),
    LEFT_SHIFT_EQUAL("<<="),
    RIGHT_SHIFT_EQUAL(">>="),
    POWER_EQUAL("**="),

    PLUS("+"),
    MINUS("-"),
    STAR("*"),
    SLASH("/"),
    FLOOR("//"),
    PERCENT("%"),
    AT("@"),
    BIT_AND("&"),
    BIT_OR("|"),
    BIT_XOR("^"),
    LEFT_SHIFT("<<"),
    RIGHT_SHIFT(">>"),
    POWER("**"),
    TILDE("~"),
    LESS("<"),
    GREATER(">"),
    LESS_EQUAL("<="),
    GREATER_EQUAL(">="),
    EQUAL_EQUAL("=="),
    NOT_EQUAL("!="),

    FALSE("False"),
    NONE("None"),
    TRUE("True"),
    AND("and"),
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
    IN("in"),
    IS("is"),
    LAMBDA("lambda"),
    NONLOCAL("nonlocal"),
    NOT("not"),
    OR("or"),
    PASS("pass"),
    RAISE("raise"),
    RETURN("return"),
    TRY("try"),
    WHILE("while"),
    WITH("with"),
    YIELD("yield");

    private final @Nullable String text;

    Token() {
        text = null;
    }

    Token(String text) {
        this.text = text;
    }

    /** The keyword or operator that this kind is for, or null. */
    @Nullable
    String text() {
        return text;
    }

    boolean isKeyword() {
        return text != null && Character.isLetter(text.charAt(0));
    }

    /** Tells whether the keyword begins a statement and can stand nowhere else, so that no bracket is open before it. */
    boolean isOnlyStatement() {
        return switch (this) {
            case ASSERT,
                    BREAK,
                    CLASS,
                    CONTINUE,
                    DEF,
                    DEL,
                    ELIF,
                    EXCEPT,
                    FINALLY,
                    GLOBAL,
                    IMPORT,
                    NONLOCAL,
                    PASS,
                    RAISE,
                    RETURN,
                    TRY,
                    WHILE,
                    WITH -> true;
            default -> false;
        };
    }

    /** Tells whether an expression can begin with it. */
    boolean beginsExpression() {
        return switch (this) {
            case NAME,
                    INT,
                    FLOAT,
                    IMAGINARY,
                    STRING,
                    BYTES,
                    FSTRING_START,
                    TSTRING_START,
                    LEFT_PAREN,
                    LEFT_BRACKET,
                    LEFT_BRACE,
                    ELLIPSIS,
                    PLUS,
                    MINUS,
                    TILDE,
                    STAR,
                    FALSE,
                    NONE,
                    TRUE,
                    AWAIT,
                    LAMBDA,
                    NOT,
                    YIELD -> true;
            default -> false;
        };
    }
}
