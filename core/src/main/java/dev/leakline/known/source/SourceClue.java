package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.python.Node;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Cure;
import dev.leakline.python.keep.KeptSearch;
import dev.leakline.result.Finding.Explanation;
import dev.leakline.result.Finding.KeptAt;
import dev.leakline.result.Frame;
import java.util.List;

/**
 * A cause with the line of the source that shows it.
 *
 * @param at the node of the line
 * @param cures the edits that end it, the best first
 * @param isGuess whether the line makes the cause likely and no more
 * @param isMade whether it keeps what the leak's line makes, and not what is computed from it
 */
record SourceClue(Cause cause, SourceFile file, Node at, List<Cure> cures, boolean isGuess, boolean isMade) {
    /** Returns whether nothing but it can be meant: it stands in a function of the calls, keeps the very tensors, or ends without a change of what the program does. */
    boolean isDirect(KeptSearch search) {
        return isMade || search.isCalled(file, at) || cures.stream().limit(1).anyMatch(Cure::isSafe);
    }

    /** The title of a cause in reports. */
    String title(Cause told) {
        return isGuess ? "probably " + told.title() : told.title();
    }

    /** A cause in sentences, with the line; by its number alone in the file of the leak's own line. */
    String text(Cause told, String site) {
        String place = site.endsWith(file.name()) ? "Line " + line() : file.name() + ":" + line();
        return told.text() + " " + place + (isGuess ? " suggests it" : " shows it")
                + (shown().isBlank() ? "." : ": " + shown());
    }

    /** The explanation of a cause that a holder dump shows, with the line that the dump led to. */
    Explanation inDump(Explanation told) {
        String place = new Frame(file.name(), line(), "").fileAndLine();
        return new Explanation(told.basis(), told.text() + " " + place + " adds to it: " + shown(), told.others());
    }

    /** The place of the line. */
    KeptAt keptAt() {
        return new KeptAt(file.name(), line());
    }

    private int line() {
        return file.line(at);
    }

    /** The line, without the comment behind its statement. */
    private String shown() {
        int end = Math.min(file.statement(at).end(), file.text().lineEnd(line()));
        return file.text().text().substring(file.text().lineStart(line()), end).strip();
    }
}
