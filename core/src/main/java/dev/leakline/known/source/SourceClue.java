package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.python.Node;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Cure;
import dev.leakline.python.keep.KeptSearch;
import dev.leakline.result.Finding.Explanation;
import dev.leakline.result.Finding.KeptAt;
import dev.leakline.result.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A cause with the line of the source that shows it.
 *
 * @param at the node of the line
 * @param cures the edits that end it, the best first
 * @param isGuess whether the line makes the cause likely and no more
 * @param isMade whether it keeps what the leak's line makes, and not what is computed from it
 * @param others sentences about other lines that keep memory of the leak
 */
record SourceClue(
        Cause cause, SourceFile file, Node at, List<Cure> cures, boolean isGuess, boolean isMade, List<String> others) {
    /** It with the edits of another line that keeps memory of the leak, where both have some that need no number. */
    SourceClue with(SourceClue other) {
        if (file.name().equals(other.file.name()) && line() == other.line()) {
            return this;
        }
        List<Cure> all = new ArrayList<>(cures);
        if (!cures.isEmpty() && !other.cures.isEmpty() && !cures.getFirst().isOpen()) {
            Cure own = cures.getFirst();
            Cure more = other.cures.getFirst();
            boolean isSafe = own.isSafe() && more.isSafe();
            List<Edit> edits =
                    Stream.concat(own.edits().stream(), more.edits().stream()).toList();
            if (!more.isOpen()) {
                all.set(
                        0,
                        new Cure(
                                own.kind(),
                                edits,
                                isSafe ? Cure.Safety.SAFE : Cure.Safety.REVIEW,
                                own.why().equals(more.why()) ? own.why() : own.why() + " " + more.why()));
            }
        }
        String place = new Frame(other.file.name(), other.line(), "").fileAndLine();
        List<String> sentences = new ArrayList<>(others);
        sentences.add(" " + place + " keeps some of it, too: " + other.shown());
        return new SourceClue(cause, file, at, all, isGuess, isMade, sentences);
    }

    /** Returns whether nothing but it can be meant: it stands in a function of the calls, keeps the very tensors, or ends without a change of what the program does. */
    boolean isDirect(KeptSearch search) {
        return isMade || search.isCalled(at) || cures.stream().limit(1).anyMatch(Cure::isSafe);
    }

    /** The title of a cause in reports. */
    String title(Cause told) {
        return isGuess ? "probably " + told.title() : told.title();
    }

    /** A cause in sentences, with the line; by its number alone in the file of the leak's own line. */
    String text(Cause told, String site) {
        String place = site.endsWith(file.name()) ? "Line " + line() : file.name() + ":" + line();
        return told.text() + " " + place + (isGuess ? " suggests it" : " shows it")
                + (shown().isBlank() ? "." : ": " + shown()) + String.join("", others);
    }

    /** The explanation of a cause that a holder dump shows, with the line that the dump led to. */
    Explanation inDump(Explanation told) {
        String place = new Frame(file.name(), line(), "").fileAndLine();
        return new Explanation(
                told.basis(),
                told.text() + " " + place + " adds to it: " + shown() + String.join("", others),
                told.others());
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
