package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.cases.CaseTexts.Placed;
import dev.leakline.oom.AdviceBook;
import dev.leakline.result.Finding.Advice;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An error that users of GPUs meet and that memory is not the reason of: a row of {@code advice.txt}.
 *
 * @param name the name of what tells that it happened
 * @param isKill whether it ends a process by SIGKILL, as the kernel does where host memory runs out
 * @param sentence what it is
 * @param advice what to do about it
 */
record OtherFault(String name, boolean isKill, String sentence, Advice advice) {
    private static final String FAULT = "fault.";
    private static final List<OtherFault> ALL = AdviceBook.ALL.names().stream()
            .filter(name -> name.startsWith(FAULT))
            .map(OtherFault::of)
            .toList();

    private static OtherFault of(String name) {
        boolean isKill = AdviceBook.ALL.rows(name).getFirst().needs().contains("kill");
        return new OtherFault(
                name.substring(FAULT.length()),
                isKill,
                Objects.requireNonNull(AdviceBook.ALL.title(name)),
                AdviceBook.ALL.advice(name).orElseThrow());
    }

    /** The reason for a kill other than memory; empty where none is known, or where a container was full. */
    static Optional<OtherFault> ofKill(CaseTexts texts) {
        return FullContainer.of(texts).isPresent()
                ? Optional.empty()
                : ALL.stream()
                        .filter(fault -> fault.isKill && texts.has(fault.name))
                        .findFirst();
    }

    /** The first of them that a text shows: those that cause others come first. */
    static Optional<OtherFault> of(CaseTexts texts) {
        return ALL.stream().filter(fault -> texts.has(fault.name)).findFirst();
    }

    /** The place in the texts that shows it. */
    Optional<Placed> place(CaseTexts texts) {
        return texts.clue(name);
    }
}
