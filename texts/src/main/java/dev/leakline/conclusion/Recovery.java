package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryLog.Place;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Warnings of programs that were short of memory and went on, and failures behind which a log goes on to its end, such as those of a search for a
 * batch size.
 *
 * @param warning the one with the largest request
 * @param times how often such warnings stand in the text
 * @param isFinished whether the job reached its end
 */
record Recovery(OutOfMemoryExplanation warning, long times, Evidence evidence, boolean isFinished) {
    /** A line of a program, not of a person: a time or a level stands before it. */
    private static final Pattern LOGGED =
            Pattern.compile("^\\W{0,2}(?:\\d{2,4}[-/]\\d\\d|\\d\\d:\\d\\d|INFO|WARN|DEBUG)");

    static Optional<Recovery> of(CaseTexts texts) {
        List<OutOfMemoryExplanation> warnings = texts.messages().stream()
                .filter(one -> one.kind() == OutOfMemoryExplanation.Kind.RECOVERED || wentOn(texts, one))
                .toList();
        long times = warnings.stream().mapToLong(one -> one.found().count()).sum();
        return warnings.stream()
                .max(Comparator.comparingLong(Recovery::requested))
                .map(most ->
                        new Recovery(most, times, texts.evidence(most), texts.has("FINISHED") || texts.has("ENDED")));
    }

    /**
     * Returns whether the log goes on behind a failure and reaches the end of the job, or says that it is tried with less and then works; an error that
     * nobody catches has a traceback.
     */
    static boolean wentOn(CaseTexts texts, OutOfMemoryExplanation failure) {
        return !texts.has(Kind.TRACEBACK)
                && (behind(texts, failure, "ENDED").findAny().isPresent()
                        || behind(texts, failure, "FINISHED")
                                .anyMatch(end -> LOGGED.matcher(end.text()).find())
                        || worksWithLess(texts, failure, "FINISHED")
                        || serves(texts, failure));
    }

    /** Returns whether a server says behind a failure that it tries with less, and behind that works. */
    static boolean serves(CaseTexts texts, OutOfMemoryExplanation failure) {
        return worksWithLess(texts, failure, "SERVES");
    }

    private static boolean worksWithLess(CaseTexts texts, OutOfMemoryExplanation failure, String mark) {
        return behind(texts, failure, "RETRIES_WITH_LESS")
                .anyMatch(retry -> behind(texts, failure, mark).anyMatch(works -> works.line() > retry.line()));
    }

    private static Stream<Clue> behind(CaseTexts texts, OutOfMemoryExplanation failure, String mark) {
        long line = failure.places().stream().mapToLong(Place::line).max().orElse(0);
        return texts.clues(mark)
                .filter(placed -> placed.input() == texts.input(failure))
                .map(CaseTexts.Placed::clue)
                .filter(clue -> clue.line() > line);
    }

    private static long requested(OutOfMemoryExplanation warning) {
        return warning.sizes().containsKey("requested")
                ? warning.sizes().get("requested").bytes()
                : 0;
    }

    long requested() {
        return requested(warning);
    }

    Resource resource() {
        return warning.found().message().device() == Device.HOST ? Resource.HOST : Resource.DEVICE;
    }

    String sentence() {
        boolean isWarned = warning.kind() == OutOfMemoryExplanation.Kind.RECOVERED;
        String end = isFinished ? " and reached its end" : "";
        String most =
                times > 1 ? " (the largest of " + Numbers.counted(times, isWarned ? "warning" : "failure") + ")" : "";
        return warning.title()
                + most
                + (!isWarned
                        ? "; behind it the job went on" + end
                        : "; nothing in the text failed" + (end.isEmpty() ? "" : ", and the job reached its end"));
    }
}
