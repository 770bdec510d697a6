package dev.leakline.python;

import java.util.ArrayList;
import java.util.List;

/** Reads the patterns of {@code case}. */
final class PatternParser {
    private final TokenReader reader;
    private final NodeStack nodes;
    private final ExpressionParser expressions;

    PatternParser(TokenReader reader, ExpressionParser expressions) {
        this.reader = reader;
        this.nodes = reader.nodes;
        this.expressions = expressions;
    }

    /** Reads a pattern, or several between commas, which are a sequence. */
    Pattern patterns() {
        int start = reader.start();
        Pattern first = starred();
        if (!reader.is(Token.COMMA)) {
            return first;
        }
        int from = nodes.size();
        nodes.push(first);
        while (reader.take(Token.COMMA) && !reader.is(Token.COLON) && !reader.is(Token.IF)) {
            nodes.push(starred());
        }
        List<Pattern> patterns = nodes.pop(from);
        return new Pattern.MatchSequence(start, reader.end(), patterns);
    }

    private Pattern starred() {
        int start = reader.start();
        if (!reader.take(Token.STAR)) {
            return pattern();
        }
        String name = reader.name();
        return new Pattern.MatchStar(start, reader.end(), name.equals("_") ? null : name);
    }

    private Pattern pattern() {
        reader.enter();
        int start = reader.start();
        Pattern pattern = alternatives();
        if (reader.take(Token.AS)) {
            String name = reader.name();
            pattern = new Pattern.MatchAs(start, reader.end(), pattern, name);
        }
        reader.leave();
        return pattern;
    }

    private Pattern alternatives() {
        int start = reader.start();
        Pattern first = closed();
        if (!reader.is(Token.BIT_OR)) {
            return first;
        }
        int from = nodes.size();
        nodes.push(first);
        while (reader.take(Token.BIT_OR)) {
            nodes.push(closed());
        }
        List<Pattern> patterns = nodes.pop(from);
        return new Pattern.MatchOr(start, reader.end(), patterns);
    }

    private Pattern closed() {
        int start = reader.start();
        return switch (reader.kind()) {
            case NAME -> named();
            case NONE -> singleton(Expr.Constant.Kind.NONE);
            case TRUE -> singleton(Expr.Constant.Kind.TRUE);
            case FALSE -> singleton(Expr.Constant.Kind.FALSE);
            case LEFT_PAREN -> sequence(Token.RIGHT_PAREN);
            case LEFT_BRACKET -> sequence(Token.RIGHT_BRACKET);
            case LEFT_BRACE -> mapping();
            default -> {
                Expr value = literal();
                yield new Pattern.MatchValue(start, reader.end(), value);
            }
        };
    }

    private Expr literal() {
        return switch (reader.kind()) {
            case STRING, BYTES, FSTRING_START, TSTRING_START, INT, FLOAT, IMAGINARY, MINUS -> expressions.sum();
            default -> throw reader.unexpected();
        };
    }

    private Pattern singleton(Expr.Constant.Kind kind) {
        int start = reader.start();
        reader.advance();
        return new Pattern.MatchSingleton(start, reader.end(), new Expr.Constant(start, reader.end(), kind));
    }

    /** Reads what begins with a name: a name for all, a value with dots, or the instances of a class. */
    private Pattern named() {
        int start = reader.start();
        Expr value = dotted();
        if (reader.is(Token.LEFT_PAREN)) {
            return instances(start, value);
        }
        if (value instanceof Expr.Name name) {
            return new Pattern.MatchAs(start, reader.end(), null, name.id().equals("_") ? null : name.id());
        }
        return new Pattern.MatchValue(start, reader.end(), value);
    }

    private Expr dotted() {
        int start = reader.start();
        int chain = reader.beginChain();
        Expr value = expressions.name();
        while (reader.take(Token.DOT)) {
            String attribute = reader.name();
            value = new Expr.Attribute(start, reader.end(), value, attribute);
            reader.link();
        }
        reader.endChain(chain);
        return value;
    }

    private Pattern instances(int start, Expr type) {
        reader.need(Token.LEFT_PAREN);
        int from = nodes.size();
        List<Pattern> patterns = List.of();
        List<String> attributes = new ArrayList<>();
        while (!reader.is(Token.RIGHT_PAREN)) {
            if (reader.is(Token.NAME) && reader.kind(1) == Token.EQUAL) {
                patterns = attributes.isEmpty() ? nodes.pop(from) : patterns;
                attributes.add(reader.name());
                reader.advance();
            } else if (!attributes.isEmpty()) {
                throw reader.unexpected();
            }
            nodes.push(pattern());
            if (!reader.take(Token.COMMA)) {
                break;
            }
        }
        reader.need(Token.RIGHT_PAREN);
        List<Pattern> last = nodes.pop(from);
        return attributes.isEmpty()
                ? new Pattern.MatchClass(start, reader.end(), type, last, List.of(), List.of())
                : new Pattern.MatchClass(start, reader.end(), type, patterns, List.copyOf(attributes), last);
    }

    /** Reads a sequence in brackets; one pattern in parentheses is only grouped. */
    private Pattern sequence(Token close) {
        int start = reader.start();
        reader.advance();
        int from = nodes.size();
        boolean isSequence = close == Token.RIGHT_BRACKET || reader.is(close);
        while (!reader.is(close)) {
            nodes.push(starred());
            if (!reader.take(Token.COMMA)) {
                break;
            }
            isSequence = true;
        }
        reader.need(close);
        List<Pattern> patterns = nodes.pop(from);
        return isSequence ? new Pattern.MatchSequence(start, reader.end(), patterns) : patterns.getFirst();
    }

    private Pattern mapping() {
        int start = reader.start();
        reader.need(Token.LEFT_BRACE);
        int from = nodes.size();
        List<Expr> keys = new ArrayList<>();
        String rest = null;
        while (!reader.is(Token.RIGHT_BRACE)) {
            if (reader.take(Token.POWER)) {
                rest = reader.name();
            } else {
                keys.add(key());
                reader.need(Token.COLON);
                nodes.push(pattern());
            }
            if (!reader.take(Token.COMMA)) {
                break;
            }
        }
        reader.need(Token.RIGHT_BRACE);
        List<Pattern> patterns = nodes.pop(from);
        return new Pattern.MatchMapping(start, reader.end(), List.copyOf(keys), patterns, rest);
    }

    private Expr key() {
        if (reader.is(Token.NAME)) {
            return dotted();
        }
        Pattern pattern = closed();
        return switch (pattern) {
            case Pattern.MatchValue value -> value.value();
            case Pattern.MatchSingleton singleton -> singleton.value();
            default -> throw reader.unexpected();
        };
    }
}
