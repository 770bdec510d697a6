package dev.leakline.conclusion;

import dev.leakline.conclusion.CaseTexts.Placed;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryMessage.Device;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Warnings of programs that were short of memory and went on, in a text in which nothing failed.
 *
 * @param warning the one with the largest request
 * @param times how often such warnings stand in the text
 * @param finished what says that the job reached its end
 */
record Recovery(OutOfMemoryExplanation warning, long times, Evidence evidence, Optional<Placed> finished) {
    static Optional<Recovery> of(CaseTexts texts) {
        List<OutOfMemoryExplanation> warnings = texts.messages().stream()
                .filter(one -> one.kind() == OutOfMemoryExplanation.Kind.RECOVERED)
                .toList();
        long times = warnings.stream().mapToLong(one -> one.found().count()).sum();
        return warnings.stream()
                .max(Comparator.comparingLong(Recovery::requested))
                .map(most -> new Recovery(most, times, evidence(texts, most), texts.clue(Kind.FINISHED)));
    }

    private static Evidence evidence(CaseTexts texts, OutOfMemoryExplanation warning) {
        long line = warning.places().isEmpty() ? 0 : warning.places().getFirst().line();
        return new Evidence(texts.input(warning), line, warning.text());
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
        return warning.title() + (times > 1 ? " (the largest of " + Numbers.counted(times, "warning") + ")" : "")
                + "; nothing in the text failed"
                + (finished.isPresent() ? ", and the job reached its end" : "");
    }
}
