package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.edit.SourceFiles;
import dev.leakline.known.python.SourceSink;
import dev.leakline.python.keep.Cure;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Explanation;
import dev.leakline.result.Frame;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A cause with the line of the source that shows it.
 *
 * @param line its number
 * @param shown the line; empty where its number says enough
 * @param edits the edits of the source by which the cause's remedies are applied, in their order; perhaps not of all
 * @param place where it adds to what a holder dump names, file and line; empty where no dump led to it
 * @param isGuess whether the line makes the cause likely and no more
 * @param cures the edits that end it, the best first, where they were found by the syntax tree
 * @param path the file of the line as patches name it; empty where it is that of the leak's own line
 */
record SourceClue(
        Cause cause,
        int line,
        String shown,
        List<SourceEdit> edits,
        String place,
        boolean isGuess,
        List<Cure> cures,
        String path) {
    /** A line that shows a cause and is to be edited itself. */
    static SourceClue of(Cause cause, List<String> file, int line, String after) {
        return of(cause, file, line, List.of(SourceEdit.of(file, line, after)));
    }

    /** A line that shows a cause, with the edits that mend it. */
    static SourceClue of(Cause cause, List<String> file, int line, List<SourceEdit> edits) {
        return of(cause, line, file.get(line - 1).strip(), edits);
    }

    /** A line that shows a cause. */
    static SourceClue of(Cause cause, int line, String shown, List<SourceEdit> edits) {
        return new SourceClue(cause, line, shown, edits, "", false, List.of(), "");
    }

    /** A line that keeps a value, with a call after what it keeps. */
    static SourceClue each(Cause cause, SourceSink sink, String call) {
        return of(cause, sink.file(), sink.line(), sink.each(call));
    }

    /** A line that keeps a value, with another value. */
    static SourceClue edit(Cause cause, SourceSink sink, String value) {
        return of(cause, sink.file(), sink.line(), sink.with(value));
    }

    /** It as no more than likely, where something speaks against it. */
    SourceClue asGuess(boolean isDoubted) {
        return new SourceClue(cause, line, shown, edits, place, isGuess || isDoubted, cures, path);
    }

    /** It with the cures of its statement. */
    SourceClue cured(List<Cure> found, String file) {
        return new SourceClue(cause, line, shown, edits, place, isGuess, found, file);
    }

    /** It as the line of a file that adds to what a holder dump names. */
    SourceClue addedAt(Frame file) {
        return new SourceClue(
                cause, line, shown, edits, new Frame(file.file(), line, "").fileAndLine(), isGuess, cures, path);
    }

    /** The title of a cause in reports. */
    String title(Cause told) {
        return isGuess ? "probably " + told.title() : told.title();
    }

    /** A cause in sentences, with the line. */
    String text(Cause told, String site) {
        String file = path.isEmpty() || site.endsWith(path) ? "Line " + line : path + ":" + line;
        String where = " " + file + (isGuess ? " suggests it" : " shows it");
        return told.text() + where + (shown.isBlank() ? "." : ": " + shown);
    }

    /** Whether a holder dump led to it. */
    boolean isOfDump() {
        return !place.isEmpty();
    }

    /** The explanation of a cause that a holder dump shows, with the line that the dump led to. */
    Explanation inDump(Explanation told) {
        return isOfDump()
                ? new Explanation(told.basis(), told.text() + " " + place + " adds to it: " + shown, told.others())
                : told;
    }

    /** The advice of the cause with the edits in place of its examples; what no edit is known for comes last. */
    List<Advice> applied(List<Advice> advice, int limit, SourceFiles files) {
        return isKept() ? CuredAdvice.of(advice, cures, files) : edited(advice, limit, files);
    }

    /** Whether the syntax tree shows the line. */
    boolean isKept() {
        return !path.isEmpty();
    }

    private List<Advice> edited(List<Advice> advice, int limit, SourceFiles files) {
        List<Integer> edited =
                IntStream.range(0, advice.size()).filter(this::isEdited).boxed().toList();
        Stream<Advice> known =
                edited.stream().map(i -> edit(i, advice.get(i), limit, i.equals(edited.getFirst()), files));
        Stream<Advice> others = IntStream.range(0, advice.size())
                .filter(i -> !isEdited(i))
                .mapToObj(i -> SourceEdit.without(advice.get(i)));
        return Stream.concat(known, others).toList();
    }

    private boolean isEdited(int remedy) {
        return remedy < edits.size() && !edits.get(remedy).changes().isEmpty();
    }

    /** The first remedy as a patch, since a report is given to git as a whole; others are alternatives to it. */
    private Advice edit(int remedy, Advice advice, int limit, boolean isFirst, SourceFiles files) {
        return isFirst
                ? edits.get(remedy).in(advice, limit, files)
                : edits.get(remedy).asExample(advice, limit);
    }
}
