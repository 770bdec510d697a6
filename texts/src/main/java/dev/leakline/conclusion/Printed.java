package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The conclusion from a text without a failure and without growth that a single kind of print allows: an engine that was built, a warning of a program that
 * went on, phases of a cycle, a heap profile, a container at its limit, a model that is on the device in part.
 *
 * @param verdict the verdict
 * @param resource the memory that it is about
 * @param sentence the conclusion
 * @param evidence what says so
 * @param fact the name of the size that follows; empty where none does
 * @param bytes that size
 * @param unknown what is open
 * @param steps what to do next
 */
record Printed(
        Conclusion.Kind verdict,
        Resource resource,
        String sentence,
        Evidence evidence,
        String fact,
        long bytes,
        Set<Unknown> unknown,
        NextSteps steps) {
    private static final List<Function<CaseTexts, Optional<Printed>>> WAYS = List.of(
            Printed::built,
            Printed::recovered,
            Printed::phases,
            Printed::heap,
            Printed::atLimit,
            Printed::partlyOffloaded);

    /** The first of them; empty where a text has none. */
    static Optional<Printed> of(CaseTexts texts) {
        return WAYS.stream().flatMap(way -> way.apply(texts).stream()).findFirst();
    }

    private static Optional<Printed> built(CaseTexts texts) {
        return texts.messages().isEmpty()
                ? Optional.empty()
                : texts.clue("ENGINE_BUILT")
                        .map(built -> new Printed(
                                Conclusion.Kind.STEADY,
                                Resource.DEVICE,
                                "TensorRT built its engine; tactics that need more memory than was free were left out",
                                built.evidence(),
                                "",
                                0,
                                Set.of(),
                                new NextSteps(texts).step("built")));
    }

    private static Optional<Printed> recovered(CaseTexts texts) {
        return Recovery.of(texts)
                .map(recovery -> new Printed(
                        Conclusion.Kind.RECOVERED,
                        recovery.resource(),
                        recovery.sentence(),
                        recovery.evidence(),
                        "requested",
                        recovery.requested(),
                        Set.of(),
                        new NextSteps(texts).wentOn(recovery.warning())));
    }

    private static Optional<Printed> phases(CaseTexts texts) {
        return GivenBack.of(texts)
                .map(phases -> new Printed(
                        Conclusion.Kind.STEADY,
                        CaseTexts.isOfHost(phases.highest()) ? Resource.HOST : Resource.DEVICE,
                        phases.sentence(),
                        new Evidence(
                                phases.lowest().input(),
                                0,
                                phases.lowest().name() + ": " + phases.lowest().values()),
                        "given_back",
                        phases.givenBack(),
                        EnumSet.of(Unknown.GROWTH),
                        new NextSteps(texts).step("cycles")));
    }

    private static Optional<Printed> heap(CaseTexts texts) {
        long whole = texts.most(Kind.HEAP);
        return texts.clue(Kind.HEAP_SITE)
                .map(site -> new Printed(
                        Conclusion.Kind.UNDETERMINED,
                        Resource.HOST,
                        ByteSize.format(site.clue().bytes())
                                + (whole > 0 ? " of the " + ByteSize.format(whole) + " in the heap profile" : "")
                                + " were allocated by " + site.clue().owner(),
                        site.evidence(),
                        "allocated",
                        site.clue().bytes(),
                        EnumSet.of(Unknown.GROWTH, Unknown.HOLDER),
                        new NextSteps(texts).step("heap")));
    }

    private static Optional<Printed> atLimit(CaseTexts texts) {
        return FullContainer.of(texts)
                .map(full -> new Printed(
                        full.share() >= Moment.FULL ? Conclusion.Kind.FULL : Conclusion.Kind.UNDETERMINED,
                        Resource.HOST,
                        full.sentence(),
                        new Evidence(full.used().input(), texts.line(full.used()), full.sentence()),
                        "used",
                        full.used().last().value(),
                        EnumSet.of(Unknown.HOLDER, Unknown.GROWTH),
                        new NextSteps(texts).step("at-limit")));
    }

    /** A model of which a part is on the CPU, since it does not fit the device. */
    static Optional<Printed> partlyOffloaded(CaseTexts texts) {
        long on = texts.count("layers");
        long all = texts.count("all_layers");
        long percent = texts.count("percent_on_cpu");
        return texts.clue(Kind.COUNT)
                .filter(_ -> on < all || percent > 0)
                .map(part -> new Printed(
                        Conclusion.Kind.FINE,
                        Resource.DEVICE,
                        (percent > 0
                                        ? percent + " % of the model are on the CPU"
                                        : on + " of " + all + " layers are on the GPU")
                                + ", since the model does not fit: the rest runs on the CPU, which is slow and no error",
                        part.evidence(),
                        "needed",
                        texts.clues(Kind.START)
                                .filter(size -> size.clue().name().equals("needed"))
                                .mapToLong(size -> size.clue().bytes())
                                .findFirst()
                                .orElse(0),
                        Set.of(),
                        new NextSteps(texts).step("whole-model")));
    }
}
