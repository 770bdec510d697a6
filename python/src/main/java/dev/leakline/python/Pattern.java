package dev.leakline.python;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pattern of a {@code case}. */
public sealed interface Pattern extends Node {
    record MatchValue(int start, int end, Expr value) implements Pattern {}

    record MatchSingleton(int start, int end, Expr.Constant value) implements Pattern {}

    record MatchSequence(int start, int end, List<Pattern> patterns) implements Pattern {}

    record MatchMapping(
            int start,
            int end,
            List<Expr> keys,
            List<Pattern> patterns,
            @Nullable String rest) implements Pattern {}

    record MatchClass(
            int start, int end, Expr cls, List<Pattern> patterns, List<String> kwdAttrs, List<Pattern> kwdPatterns)
            implements Pattern {}

    /** The rest of a sequence; without a name it is {@code *_}. */
    record MatchStar(int start, int end, @Nullable String name) implements Pattern {}

    /** A name for what a pattern matches; without a pattern it matches all, and without a name too it is {@code _}. */
    record MatchAs(
            int start,
            int end,
            @Nullable Pattern pattern,
            @Nullable String name) implements Pattern {}

    record MatchOr(int start, int end, List<Pattern> patterns) implements Pattern {}
}
