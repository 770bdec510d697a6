package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.Finding.Advice;
import dev.leakline.source.Clue.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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

    /** Those that end a process by SIGKILL, as the kernel does where host memory runs out. */
    private static final Set<Kind> KILLERS =
            EnumSet.of(Kind.PROBE_FAILED, Kind.TIME_OVER, Kind.ENDED_BY_SCHEDULER, Kind.EVICTED);

    /** Who killed a process, where that was not for memory; empty where nobody else is known, or where a container was full. */
    static Optional<OtherFault> ofKill(CaseTexts texts) {
        return texts.has(Kind.AT_LIMIT)
                ? Optional.empty()
                : ALL.stream()
                        .filter(fault -> fault.isKill() && texts.has(fault.mark))
                        .findFirst();
    }

    /** Whether it ends a process by SIGKILL. */
    boolean isKill() {
        return KILLERS.contains(mark);
    }

    /** The first of them that a text shows: those that cause others come first. */
    static Optional<OtherFault> of(CaseTexts texts) {
        return ALL.stream().filter(fault -> texts.has(fault.mark)).findFirst();
    }
}
