package dev.leakline.known;

import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.Finding.Explanation;
import dev.leakline.result.Finding.Told;
import dev.leakline.result.Holders.Group;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cause of a finding, and what says that it is this one.
 *
 * @param cause what keeps the memory
 * @param basis what says so
 * @param others causes that would look the same, the likeliest first; none where the basis leaves none
 */
public record Diagnosis(Cause cause, Basis basis, List<Cause> others) {
    /** The means to tell apart causes that look the same from outside. */
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

    /**
     * The cause where a holder dump shows one too: the dump's, unless it says no more than that something keeps what a stack tells more of.
     *
     * @param recorded the cause that the recording tells
     * @param dumped the cause that the dump shows
     */
    public static Diagnosis of(Cause recorded, Basis basis, Cause dumped) {
        boolean isKnown = !recorded.isGeneral() && (basis == Basis.RECORDING || recorded.isOfAllocation());
        boolean isMore = recorded.id().equals(dumped.id()) || (dumped.isGeneral() && isKnown);
        Cause cause = isMore ? recorded : dumped;
        return new Diagnosis(cause, Basis.DUMP, List.of());
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

    /** Advice on a group of a dump, which names what keeps it: the dump's advice where the dump shows the cause, else the cause's own. */
    public List<Advice> advice(Group group, boolean isHost) {
        List<Advice> known = cause.advice(group.retainedBytes(), isHost);
        boolean isOfGroup = cause.id().equals(group.cause()) && !group.advice().isEmpty();
        return isOfGroup
                ? Stream.concat(
                                group.advice().stream().limit(1).map(Advice::inSentences),
                                known.stream().skip(1))
                        .toList()
                : known;
    }

    /** The advice, the best first; on the host, moving tensors to CPU memory does not help. */
    public List<Advice> advice(long bytes, boolean isHost) {
        return cause.advice(bytes, isHost);
    }
}
