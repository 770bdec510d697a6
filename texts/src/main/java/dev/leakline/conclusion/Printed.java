package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Evidence;
import dev.leakline.result.Conclusion.Kind;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.source.Clue;
import dev.leakline.text.ByteSize;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The conclusions from a text without a failure and without growth that a single kind of print allows: a warning of a program that
 * went on, phases of a cycle, a heap profile, a container at its limit, a model that is on the device in part.
 */
final class Printed {
    private final CaseTexts texts;
    private final Facts facts;
    private final NextSteps next;

    Printed(CaseTexts texts, Facts facts, NextSteps next) {
        this.texts = texts;
        this.facts = facts;
        this.next = next;
    }

    /** The first of them; empty where a text has none. */
    Optional<Conclusion> first() {
        return Stream.<Supplier<Optional<Conclusion>>>of(
                        this::recovered, this::phases, this::heap, this::atLimit, this::partlyOffloaded)
                .flatMap(rule -> rule.get().stream())
                .findFirst();
    }

    private Optional<Conclusion> recovered() {
        return Recovery.of(texts).map(recovery -> {
            put("requested", recovery.requested(), recovery.evidence());
            return conclusion(
                    Kind.RECOVERED,
                    recovery.resource(),
                    recovery.sentence(),
                    recovery.evidence(),
                    Set.of(),
                    next.wentOn(recovery.warning()));
        });
    }

    private Optional<Conclusion> phases() {
        return GivenBack.of(texts).map(phases -> {
            Evidence evidence = QuietTexts.evidence(phases.lowest());
            put("given_back", phases.givenBack(), evidence);
            return conclusion(
                    Kind.STEADY,
                    CaseTexts.resource(phases.highest()),
                    phases.sentence(),
                    evidence,
                    EnumSet.of(Unknown.GROWTH),
                    next.step("cycles"));
        });
    }

    private Optional<Conclusion> heap() {
        long whole = texts.most(Clue.Kind.HEAP);
        return texts.clue(Clue.Kind.HEAP_SITE).map(site -> {
            put("allocated", site.clue().bytes(), site.evidence());
            return conclusion(
                    Kind.UNDETERMINED,
                    Resource.HOST,
                    ByteSize.format(site.clue().bytes())
                            + (whole > 0 ? " of the " + ByteSize.format(whole) + " in the heap profile" : "")
                            + " were allocated by " + site.clue().owner(),
                    site.evidence(),
                    EnumSet.of(Unknown.GROWTH, Unknown.HOLDER),
                    next.step("heap"));
        });
    }

    private Optional<Conclusion> atLimit() {
        return FullContainer.of(texts).map(full -> {
            Evidence evidence = new Evidence(full.used().input(), texts.line(full.used()), full.sentence());
            put("used", full.used().last().value(), evidence);
            return conclusion(
                    full.share() >= Moment.FULL ? Kind.FULL : Kind.UNDETERMINED,
                    Resource.HOST,
                    full.sentence(),
                    evidence,
                    EnumSet.of(Unknown.HOLDER, Unknown.GROWTH),
                    next.step("at-limit"));
        });
    }

    /** A model of which a part is on the CPU, since it does not fit the device. */
    Optional<Conclusion> partlyOffloaded() {
        long on = texts.count("layers");
        long all = texts.count("all_layers");
        long percent = texts.count("percent_on_cpu");
        return texts.clue(Clue.Kind.COUNT).filter(_ -> on < all || percent > 0).map(part -> {
            texts.clues(Clue.Kind.START)
                    .filter(size -> size.clue().name().equals("needed"))
                    .findFirst()
                    .ifPresent(size -> put("needed", size.clue().bytes(), part.evidence()));
            return conclusion(
                    Kind.FINE,
                    Resource.DEVICE,
                    (percent > 0
                                    ? percent + " % of the model are on the CPU"
                                    : on + " of " + all + " layers are on the GPU")
                            + ", since the model does not fit: the rest runs on the CPU, which is slow and no error",
                    part.evidence(),
                    Set.of(),
                    next.step("whole-model"));
        });
    }

    private void put(String name, long bytes, Evidence evidence) {
        facts.put(name, bytes, evidence.input(), evidence.line(), "");
    }

    private Conclusion conclusion(
            Kind verdict,
            Resource resource,
            String sentence,
            Evidence evidence,
            Set<Unknown> unknown,
            NextSteps steps) {
        facts.ofTheFailure();
        if (verdict == Kind.FULL) {
            facts.printed(resource);
        }
        return facts.conclusion(verdict, resource, sentence, List.of(evidence), unknown, steps);
    }
}
