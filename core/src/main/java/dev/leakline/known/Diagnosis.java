package dev.leakline.known;

import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.Finding.Explanation;
import dev.leakline.result.Finding.Told;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A cause of a finding, and what says that it is this one.
 *
 * @param cause what keeps the memory
 * @param basis what says so
 * @param others causes that would look the same, the likeliest first; none where the basis leaves none
 */
public record Diagnosis(Cause cause, Basis basis, List<Cause> others) {
    /** What tells causes apart that look the same from outside. */
    private static final String HOW_TO_TELL =
            " A holder dump (leakline run, leakline attach) or the source (--source DIR) tells which.";

    /** A cause that the stacks or times of a recording show. */
    public static Diagnosis recorded(Cause cause) {
        return new Diagnosis(cause, Basis.RECORDING, List.of());
    }

    /** A cause that stacks and times make likely, with what it may be instead. */
    public static Diagnosis inferred(Cause cause, Cause... others) {
        return new Diagnosis(cause, Basis.INFERRED, List.of(others));
    }

    /** How it is told in a finding. */
    public Told told() {
        boolean isSure = basis != Basis.INFERRED;
        String text = isSure ? cause.text() : cause.text() + alternatives();
        Explanation explanation = new Explanation(
                basis, text, others.stream().map(Cause::id).distinct().toList());
        return new Told(isSure ? cause.title() : "probably " + cause.title(), cause.id(), explanation);
    }

    private String alternatives() {
        return others.isEmpty()
                ? " This is inferred." + HOW_TO_TELL
                : " This is inferred; it looks the same where "
                        + others.stream().map(Cause::title).collect(Collectors.joining(", or where ")) + "."
                        + HOW_TO_TELL;
    }

    /** What to do, the best first; on the host, moving tensors to CPU memory does not help. */
    public List<Advice> advice(long bytes, boolean isHost) {
        return cause.advice(bytes, isHost);
    }
}
