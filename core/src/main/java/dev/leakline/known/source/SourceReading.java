package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.Finding.Explanation;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.Told;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Decides the cause of a leak by the source of the calls that allocate. What a dump showed is not doubted; then only the line and the edit come
 * from here.
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
     * @param names the path of that file in patches, empty where it cannot be patched
     * @param texts all of its text, empty where it is not at hand
     */
    public static Finding of(Finding finding, Function<Frame, String> names, Function<Frame, String> texts) {
        Explanation explanation = finding.explanation();
        return KINDS.contains(finding.kind()) && explanation != null
                ? Cause.told(finding.title())
                        .map(known ->
                                new SourceReading(finding, new SourceFiles(names, texts), explanation, known).told())
                        .orElse(finding)
                : finding;
    }

    private Finding told() {
        Optional<SourceClue> read = inner().flatMap(
                        frame -> new SourceKept(finding, frame, known, files).find().stream())
                .reduce(SourceClue::with)
                .or(() -> new SourceKept(finding, null, known, files).find());
        if (read.isEmpty() && isOfDump() && known.isGeneral()) {
            return besideDump();
        }
        return read.isPresent() ? told(joined(read.get())) : isAtHand() && !isCycle() ? unseen() : finding;
    }

    /** The finding with the line that the recording leads to, where the source does not show who adds to what the dump names. */
    private Finding besideDump() {
        Explanation seen = new Explanation(Basis.RECORDING, explanation.text(), explanation.others());
        Finding recorded = finding.withCause(new Told(finding.title(), finding.cause(), seen), finding.advice());
        Finding found = new SourceReading(recorded, files, seen, known).told();
        return found.keptAt() == null ? finding : found;
    }

    /** The lines that allocate memory of the finding, its own or within calls of that, where their source is at hand. */
    private Stream<Frame> inner() {
        return (isOfDump() || isCycle() ? Stream.<Proof>empty() : finding.evidence().stream())
                .map(Proof::site)
                .flatMap(Stream::ofNullable)
                .map(Site::frame)
                .filter(frame -> files.of(frame).isPresent())
                .distinct();
    }

    /** A clue with those to the other collections in which memory of the finding piles up from dump to dump. */
    private SourceClue joined(SourceClue first) {
        SourceClue joined = first;
        for (FindingHolder holder : isOfDump() ? finding.holders() : List.<FindingHolder>of()) {
            boolean isGrowing = holder.accumulation() != null
                    && holder.growth() != null
                    && holder.growth().isSteady();
            Finding part = finding.withHolders(List.of(holder), finding.advice());
            if (isGrowing && !holder.equals(finding.holders().getFirst())) {
                Optional<SourceClue> other = new SourceKept(part, null, known, files).find();
                joined = other.isPresent() ? joined.with(other.get()) : joined;
            }
        }
        return joined;
    }

    private boolean isCycle() {
        return finding.kind() == Finding.Kind.REFERENCE_CYCLE;
    }

    private boolean isOfDump() {
        return explanation.basis() == Basis.DUMP;
    }

    private boolean isAtHand() {
        return !isOfDump() && files.of(finding.site().frame()).isPresent();
    }

    /** The finding where the source is at hand and no line of it shows who keeps the memory. */
    private Finding unseen() {
        List<Advice> others =
                finding.advice().stream().map(CuredAdvice::without).toList();
        if (!known.isGeneral()) {
            return finding.withAdvice(others);
        }
        Explanation unseen = new Explanation(
                explanation.basis(),
                known.equals(Cause.CONTAINER) ? Cause.UNSEEN.text() : explanation.text(),
                explanation.others());
        Told told = new Told(finding.title(), known.id(), unseen);
        List<Advice> dump = finding.holders().isEmpty() ? advice(Cause.UNSEEN) : List.of();
        return finding.withCause(
                told, Stream.concat(dump.stream(), others.stream()).toList());
    }

    private Finding told(SourceClue found) {
        boolean isOpen = explanation.basis() == Basis.INFERRED || known.isGeneral() || isCycle();
        boolean isDetached = known.id().equals(Cause.GRAPH_KEPT.id())
                && found.isMade()
                && found.cause().isGeneral();
        boolean isMore = isOpen
                || isDetached
                || known.equals(Cause.OPTIMIZER)
                || (known.isOfObjects() && !found.cause().isGeneral());
        boolean isLineOnly = found.cause().isGeneral() && !found.isGuess();
        if (!isOfDump() && !isMore && !isLineOnly && !found.cause().id().equals(finding.cause())) {
            return finding;
        }
        Cause cause = isOfDump() || isMore ? found.cause() : known;
        Told told = isOfDump()
                ? new Told(
                        cause.title(), cause.id(), found.inDump(new Explanation(Basis.DUMP, cause.text(), List.of())))
                : shown(cause, found);
        return finding.withCause(told, CuredAdvice.of(general(cause), found.cures(), files))
                .withKeptAt(found.keptAt());
    }

    private Told shown(Cause cause, SourceClue found) {
        List<String> others = found.isGuess() ? List.of(known.id()) : List.of();
        Basis basis = found.isGuess() ? Basis.INFERRED : Basis.SOURCE;
        String site = finding.site().frame().file().replace('\\', '/');
        return new Told(found.title(cause), cause.id(), new Explanation(basis, found.text(cause, site), others));
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
