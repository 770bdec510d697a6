package dev.leakline.conclusion;

import dev.leakline.result.Finding.Advice;
import dev.leakline.source.Clue.Kind;
import java.util.List;
import java.util.Optional;

/**
 * An error that users of GPUs meet and that memory is not the reason of: a row of {@code faults.txt}, which explains its form.
 *
 * @param mark what tells that it happened
 * @param sentence what it is
 * @param advice what to do about it
 */
record OtherFault(Kind mark, String sentence, Advice advice) {
    private static final List<OtherFault> ALL = KnownStep.rows("faults.txt").stream()
            .map(row -> new OtherFault(Kind.valueOf(row.head()), row.says("is"), KnownStep.advice(row)))
            .toList();

    /** The first of them that a text shows: those that cause others come first. */
    static Optional<OtherFault> of(CaseTexts texts) {
        return ALL.stream().filter(fault -> texts.has(fault.mark)).findFirst();
    }
}
