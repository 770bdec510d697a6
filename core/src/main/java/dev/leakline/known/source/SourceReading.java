package dev.leakline.known.source;

import dev.leakline.known.AdvisedLimit;
import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.edit.SourceFiles;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.Finding.Explanation;
import dev.leakline.result.Finding.KeptAt;
import dev.leakline.result.Finding.Told;
import dev.leakline.result.Frame;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Decides the cause of a leak by the lines of the source: those of the function that allocates, then of those that called it, until one keeps
 * the value. What the dump showed is not doubted; then only the edit comes from here.
 *
 * <p>Lines are read one by one, as text. That is enough for the few words that matter, and what it does not understand changes no cause.
 */
public final class SourceReading {
    private static final Set<Finding.Kind> KINDS = Set.of(Finding.Kind.LEAK, Finding.Kind.REFERENCE_CYCLE);

    private final Finding finding;
    private final SourceFiles files;
    private final Explanation explanation;
    private final Cause known;

    private SourceReading(Finding finding, SourceFiles files, Explanation explanation, Cause known) {
        this.finding = finding;
        this.files = files;
        this.explanation = explanation;
        this.known = known;
    }

    /**
     * The finding with the cause that the source shows; where that shows none, without examples that the source does not have.
     *
     * @param lines the lines of a frame's file, none where it is not at hand
     * @param names the path of that file in patches, empty where it cannot be patched
     * @param texts all of its text, empty where it is not at hand
     */
    public static Finding of(
            Finding finding,
            Function<Frame, List<String>> lines,
            Function<Frame, String> names,
            Function<Frame, String> texts) {
        Explanation explanation = finding.explanation();
        return KINDS.contains(finding.kind()) && explanation != null
                ? Cause.told(finding.title())
                        .map(known -> new SourceReading(
                                        finding, new SourceFiles(lines, names, texts), explanation, known)
                                .told())
                        .orElse(finding)
                : finding;
    }

    private Finding told() {
        Optional<SourceClue> searched = new SourceSearch(finding, known, files).find();
        Optional<SourceClue> read = new SourceKept(finding, known, files).find(searched);
        return read.isPresent() ? told(read.get()) : isAtHand() && !isCycle() ? unseen() : finding;
    }

    private boolean isCycle() {
        return finding.kind() == Finding.Kind.REFERENCE_CYCLE;
    }

    private boolean isOfDump() {
        return explanation.basis() == Basis.DUMP;
    }

    private boolean isAtHand() {
        return !isOfDump() && !files.of(finding.site().frame()).isEmpty();
    }

    /** The finding where the source is at hand and no line of it shows who keeps the memory. */
    private Finding unseen() {
        List<Advice> others = finding.advice().stream().map(SourceEdit::without).toList();
        if (!known.isGeneral()) {
            return finding.withAdvice(others);
        }
        Explanation unseen = new Explanation(
                explanation.basis(),
                known.equals(Cause.CONTAINER) ? Cause.UNSEEN.text() : explanation.text(),
                explanation.others());
        Told told = new Told(finding.title(), known.id(), unseen);
        return finding.withCause(
                told,
                Stream.concat(advice(Cause.UNSEEN).stream(), others.stream()).toList());
    }

    private Finding told(SourceClue found) {
        boolean isOpen = explanation.basis() == Basis.INFERRED || known.isGeneral() || isCycle();
        boolean isMore = isOpen || (known.isOfObjects() && !found.cause().isGeneral());
        boolean isShown = found.isOfDump() && found.isKept();
        if (!isShown && !found.cause().id().equals(finding.cause()) && (!isMore || isOfDump())) {
            return finding;
        }
        Cause cause = found.isOfDump() || (isMore && !isOfDump()) ? found.cause() : known;
        Told told = isOfDump() ? dumped(cause, found) : shown(cause, found);
        return finding.withCause(told, found.applied(general(cause), AdvisedLimit.of(finding), files))
                .withKeptAt(keptAt(found));
    }

    private KeptAt keptAt(SourceClue found) {
        String path = found.path().isEmpty() ? files.name(finding.site().frame()) : found.path();
        return new KeptAt(path, found.line());
    }

    private Told dumped(Cause cause, SourceClue found) {
        return new Told(cause.title(), cause.id(), found.inDump(new Explanation(Basis.DUMP, cause.text(), List.of())));
    }

    private Told shown(Cause cause, SourceClue found) {
        List<String> others = found.isGuess() ? List.of(known.id()) : List.of();
        Basis basis = found.isGuess() ? Basis.INFERRED : Basis.SOURCE;
        return new Told(
                found.title(cause),
                cause.id(),
                new Explanation(
                        basis, found.text(cause, finding.site().frame().file().replace('\\', '/')), others));
    }

    /** The advice of the finding, where its cause is the same, else that of the cause. */
    private List<Advice> general(Cause cause) {
        boolean isSame = cause.id().equals(finding.cause())
                && cause.equals(known)
                && !finding.advice().isEmpty();
        return isSame && !cause.equals(Cause.CONTAINER) ? finding.advice() : advice(cause.inSource());
    }

    private List<Advice> advice(Cause cause) {
        return cause.advice(finding.bytes(), finding.device() < 0);
    }
}
