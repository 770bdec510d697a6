package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a text without a message and without growth tells by comparing: phases of a cycle, two versions, places of a heap profile, ranks, what a
 * training needs with what there is; or by what was tried already.
 *
 * @param verdict the verdict
 * @param resource the memory that it is about, null where nobody says
 * @param sentence the conclusion
 * @param evidence what says so
 * @param fact the name of the size that follows; empty where none does
 * @param bytes that size
 * @param unknown what is open
 * @param steps what to do next
 */
record Told(
        String verdict,
        @Nullable Resource resource,
        String sentence,
        Evidence evidence,
        String fact,
        long bytes,
        Set<Unknown> unknown,
        NextSteps steps) {
    private static final List<Function<CaseTexts, Optional<Told>>> WAYS = List.of(
            Told::built,
            Told::recovered,
            Told::settled,
            Told::phases,
            Told::versions,
            Told::heap,
            Told::peers,
            Told::atLimit,
            Told::spilled,
            Told::partlyOffloaded,
            Told::need,
            Told::tried);

    /** What is told; empty where a text tells none of these. */
    static Optional<Told> of(CaseTexts texts) {
        return WAYS.stream().flatMap(way -> way.apply(texts).stream()).findFirst();
    }

    private static Optional<Told> built(CaseTexts texts) {
        return texts.messages().isEmpty()
                ? Optional.empty()
                : texts.clue(Kind.ENGINE_BUILT)
                        .map(built -> new Told(
                                Conclusion.STEADY,
                                Resource.DEVICE,
                                "TensorRT built its engine; tactics that need more memory than was free were left out",
                                built.evidence(),
                                "",
                                0,
                                Set.of(),
                                new NextSteps(texts).step(KnownStep.BUILT)));
    }

    private static Optional<Told> recovered(CaseTexts texts) {
        return texts.has(Kind.SAYS_GROWS)
                ? Optional.empty()
                : Recovery.of(texts)
                        .map(recovery -> new Told(
                                OutOfMemoryExplanation.Kind.RECOVERED.name().toLowerCase(Locale.ROOT),
                                recovery.resource(),
                                recovery.sentence(),
                                recovery.evidence(),
                                "requested",
                                recovery.requested(),
                                Set.of(),
                                new NextSteps(texts).wentOn(recovery.warning())));
    }

    private static Optional<Told> settled(CaseTexts texts) {
        return Settled.of(texts)
                .map(settled -> new Told(
                        Conclusion.STEADY,
                        texts.resource(settled.said()),
                        settled.sentence(),
                        settled.said().evidence(),
                        "used",
                        settled.said().clue().bytes(),
                        Set.of(),
                        new NextSteps(texts).steady(Course.WARM_UP)));
    }

    private static Optional<Told> phases(CaseTexts texts) {
        return GivenBack.of(texts)
                .map(phases -> new Told(
                        Conclusion.STEADY,
                        CaseTexts.isOfHost(phases.highest()) ? Resource.HOST : Resource.DEVICE,
                        phases.sentence(),
                        new Evidence(
                                phases.lowest().input(),
                                0,
                                phases.lowest().name() + ": " + phases.lowest().values()),
                        "given_back",
                        phases.givenBack(),
                        EnumSet.of(Unknown.GROWTH),
                        new NextSteps(texts).step(KnownStep.CYCLES)));
    }

    private static Optional<Told> versions(CaseTexts texts) {
        return texts.clue(Kind.VERSION_HOLDS_MORE)
                .map(more -> new Told(
                        Conclusion.REGRESSION,
                        texts.resource(more),
                        "the newer version holds " + ByteSize.format(more.clue().bytes()) + " more: "
                                + more.clue().text(),
                        more.evidence(),
                        "difference",
                        more.clue().bytes(),
                        EnumSet.of(Unknown.LINE, Unknown.GROWTH),
                        new NextSteps(texts).versions(texts.resource(more))));
    }

    private static Optional<Told> heap(CaseTexts texts) {
        long whole = texts.most(Kind.HEAP);
        return texts.clue(Kind.HEAP_SITE)
                .map(site -> new Told(
                        Conclusion.UNDETERMINED,
                        Resource.HOST,
                        ByteSize.format(site.clue().bytes())
                                + (whole > 0 ? " of the " + ByteSize.format(whole) + " in the heap profile" : "")
                                + " were allocated by " + site.clue().text(),
                        site.evidence(),
                        "allocated",
                        site.clue().bytes(),
                        EnumSet.of(Unknown.GROWTH, Unknown.HOLDER),
                        new NextSteps(texts).heap()));
    }

    private static Optional<Told> peers(CaseTexts texts) {
        return texts.clue(Kind.PEERS_HOLD_MORE)
                .map(more -> new Told(
                        Conclusion.UNDETERMINED,
                        texts.resource(more),
                        more.clue().text(),
                        more.evidence(),
                        "difference",
                        more.clue().bytes(),
                        EnumSet.of(Unknown.LINE, Unknown.GROWTH),
                        new NextSteps(texts).step(KnownStep.RANKS)));
    }

    private static Optional<Told> atLimit(CaseTexts texts) {
        return texts.largest(Kind.AT_LIMIT)
                .map(container -> new Told(
                        Conclusion.UNDETERMINED,
                        Resource.HOST,
                        container.clue().text(),
                        container.evidence(),
                        "used",
                        container.clue().bytes(),
                        EnumSet.of(Unknown.HOLDER, Unknown.GROWTH),
                        new NextSteps(texts).step(KnownStep.AT_LIMIT)));
    }

    private static Optional<Told> spilled(CaseTexts texts) {
        return texts.clue(Kind.SPILLED)
                .map(spill -> new Told(
                        Conclusion.UNDETERMINED,
                        Resource.DEVICE,
                        spilled(spill.clue().bytes())
                                + " in the host's memory, since the device is full: slow, and no error",
                        spill.evidence(),
                        "spilled",
                        spill.clue().bytes(),
                        EnumSet.of(Unknown.LINE, Unknown.GROWTH),
                        new NextSteps(texts).step(KnownStep.SPILLED)));
    }

    private static String spilled(long bytes) {
        return bytes > 0 ? ByteSize.format(bytes) + " of GPU memory lie" : "GPU memory lies";
    }

    private static Optional<Told> partlyOffloaded(CaseTexts texts) {
        return texts.largest(Kind.PARTLY_OFFLOADED)
                .map(part -> new Told(
                        Conclusion.UNDETERMINED,
                        Resource.DEVICE,
                        part.clue().text()
                                + ", since the model does not fit: the rest runs on the CPU, which is slow and no error",
                        part.evidence(),
                        "required",
                        part.clue().bytes(),
                        Set.of(),
                        new NextSteps(texts).step(KnownStep.WHOLE_MODEL)));
    }

    private static Optional<Told> need(CaseTexts texts) {
        return Need.of(texts)
                .map(need -> new Told(
                        Conclusion.UNDETERMINED,
                        Resource.DEVICE,
                        need.sentence(),
                        need.model().evidence(),
                        "states",
                        need.states(),
                        EnumSet.of(Unknown.LINE, Unknown.GROWTH),
                        new NextSteps(texts).fitting(need)));
    }

    /** Everything that gives memory back was called, and no figure says what is left. */
    private static Optional<Told> tried(CaseTexts texts) {
        boolean isAll = Stream.of(Kind.DELETES, Kind.COLLECTS, Kind.EMPTIES).allMatch(texts::has);
        return !isAll || texts.has(Kind.SAYS_GROWS)
                ? Optional.empty()
                : texts.clue(Kind.EMPTIES)
                        .map(call -> new Told(
                                Conclusion.UNDETERMINED,
                                Resource.DEVICE,
                                "the name is deleted, the garbage collector called and the cache given back: what is left is a tensor"
                                        + " that something else refers to, or the CUDA context, which ends with the process",
                                call.evidence(),
                                "",
                                0,
                                EnumSet.of(Unknown.HOLDER),
                                new NextSteps(texts).step(KnownStep.TRIED)));
    }
}
