package dev.leakline.known.python;

import dev.leakline.known.Cause;
import dev.leakline.known.python.SourceUse.Sink;

/**
 * A cause with the line of the source that shows it.
 *
 * @param line its number
 * @param shown the line; empty where its number says enough
 * @param before the line that is to be edited
 * @param after how that line should read
 * @param isGuess whether the line makes the cause likely and no more
 */
record SourceClue(Cause cause, int line, String shown, String before, String after, boolean isGuess) {
    /** A line that shows a cause and is to be edited itself. */
    static SourceClue of(Cause cause, int line, String text, String after) {
        return new SourceClue(cause, line, text, text, after, false);
    }

    /** A line that keeps a value, with a call after what it keeps. */
    static SourceClue each(Cause cause, Sink sink, String call) {
        return of(cause, sink.line(), sink.text().strip(), sink.each(call));
    }

    /** A line that keeps a value, with another value. */
    static SourceClue edit(Cause cause, Sink sink, String value) {
        return of(cause, sink.line(), sink.text().strip(), sink.with(value));
    }

    /** It as no more than likely, where something speaks against it. */
    SourceClue asGuess(boolean isDoubted) {
        return new SourceClue(cause, line, shown, before, after, isGuess || isDoubted);
    }

    /** The title of a cause in reports. */
    String title(Cause told) {
        return isGuess ? "probably " + told.title() : told.title();
    }

    /** A cause in sentences, with the line. */
    String text(Cause told) {
        String where = " Line " + line + (isGuess ? " suggests it" : " shows it");
        return told.text() + where + (shown.isBlank() ? "." : ": " + shown);
    }
}
