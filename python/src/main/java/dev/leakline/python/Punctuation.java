package dev.leakline.python;

/** The operators and delimiters that mean the same wherever they stand. */
final class Punctuation {
    private Punctuation() {}

    /** The longest operator that stands here, or {@link Token#UNKNOWN}. */
    static Token at(char[] chars, int at) {
        char next = chars[at + 1];
        boolean assigns = next == '=';
        return switch (chars[at]) {
            case ',' -> Token.COMMA;
            case '.' -> next == '.' && chars[at + 2] == '.' ? Token.ELLIPSIS : Token.DOT;
            case '=' -> assigns ? Token.EQUAL_EQUAL : Token.EQUAL;
            case ';' -> Token.SEMICOLON;
            case '~' -> Token.TILDE;
            case '+' -> assigns ? Token.PLUS_EQUAL : Token.PLUS;
            case '-' -> assigns ? Token.MINUS_EQUAL : next == '>' ? Token.ARROW : Token.MINUS;
            case '*' -> assigns ? Token.STAR_EQUAL : next == '*' ? twice(chars[at + 2], Token.POWER) : Token.STAR;
            case '/' -> assigns ? Token.SLASH_EQUAL : next == '/' ? twice(chars[at + 2], Token.FLOOR) : Token.SLASH;
            case '<' -> assigns ? Token.LESS_EQUAL : next == '<' ? twice(chars[at + 2], Token.LEFT_SHIFT) : Token.LESS;
            case '>' ->
                assigns ? Token.GREATER_EQUAL : next == '>' ? twice(chars[at + 2], Token.RIGHT_SHIFT) : Token.GREATER;
            case '%' -> assigns ? Token.PERCENT_EQUAL : Token.PERCENT;
            case '@' -> assigns ? Token.AT_EQUAL : Token.AT;
            case '&' -> assigns ? Token.AND_EQUAL : Token.BIT_AND;
            case '|' -> assigns ? Token.OR_EQUAL : Token.BIT_OR;
            case '^' -> assigns ? Token.XOR_EQUAL : Token.BIT_XOR;
            default -> Token.UNKNOWN;
        };
    }

    /** An operator of two equal characters, or the assignment with it. */
    private static Token twice(char third, Token operator) {
        if (third != '=') {
            return operator;
        }
        return switch (operator) {
            case POWER -> Token.POWER_EQUAL;
            case FLOOR -> Token.FLOOR_EQUAL;
            case LEFT_SHIFT -> Token.LEFT_SHIFT_EQUAL;
            default -> Token.RIGHT_SHIFT_EQUAL;
        };
    }
}
