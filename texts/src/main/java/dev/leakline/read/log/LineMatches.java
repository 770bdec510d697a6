package dev.leakline.read.log;

import dev.leakline.read.log.Wording.Part;
import dev.leakline.source.lines.LineForms;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wordings that were found in a line of a view, for the next one of its form ({@link LineForms}). In the same surroundings that has the same ones
 * at the same places, with other numbers.
 *
 * @param around what stands around the line
 * @param next the line behind, where that was looked at, too
 * @param after the state of the index behind the line
 * @param matches what was found
 */
record LineMatches(Surroundings around, @Nullable Next next, int after, List<Match> matches) {
    /**
     * The text around a line, and the state of the search.
     *
     * @param state that of the index before it
     * @param before the character before it
     * @param last its last one, which is what stands between it and the next line
     * @param added how much of it is in the view: what loggers write before it may have been taken off
     */
    record Surroundings(int state, char before, char last, int added) {
        /** The surroundings of a piece of a view. */
        static Surroundings of(LogView view, int piece, int state) {
            char before = view.at(view.start(piece) - 1);
            return new Surroundings(state, before, view.at(view.start(piece + 1) - 1), view.added(piece));
        }

        private boolean isSame(Surroundings other) {
            return state == other.state && before == other.before && last == other.last && added == other.added;
        }
    }

    /** The form of a line, what stands behind it, and how much of it is in the view. */
    record Next(long form, char last, int added) {
        /** The piece behind one of a view. */
        static Next of(LogView view, int piece) {
            return new Next(view.form(piece + 1), view.at(view.start(piece + 2) - 1), view.added(piece + 1));
        }
    }

    /** A wording that stands in the line between two places, and where its numbers do. */
    record Match(Wording wording, int start, int end, List<Numbered> numbers) {}

    /** A part of a wording that is a number, from which place on it was read, and whether it is the wording's last part. */
    record Numbered(Part part, int from, boolean isLast) {}

    /** Returns whether they are those of a piece of a view as well, which is of the same form. */
    boolean fit(LogView view, int piece, Surroundings aroundIt) {
        return around.isSame(aroundIt)
                && (next == null || (piece + 1 < view.pieces() && next.equals(Next.of(view, piece))));
    }

    /** Keeps what was found in a piece, where nothing further away than the next one was looked at. */
    static @Nullable LineMatches of(LogView view, int piece, Surroundings around, int after, List<Match> matches) {
        int from = view.start(piece) - 1;
        if (view.isNotedWithin(from, view.start(piece + 1))) {
            return new LineMatches(around, null, after, matches);
        }
        boolean isOfTwo = piece + 1 < view.pieces() && view.isNotedWithin(from, view.start(piece + 2));
        Next next = isOfTwo ? Next.of(view, piece) : null;
        return next == null || next.form == LineForms.NONE ? null : new LineMatches(around, next, after, matches);
    }
}
