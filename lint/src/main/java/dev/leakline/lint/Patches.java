package dev.leakline.lint;

import dev.leakline.Sources;
import dev.leakline.Sources.PatchMaker;
import dev.leakline.Sources.SourceFile;
import dev.leakline.python.PythonText;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.PatchSafety;
import dev.leakline.result.Frame;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The other way from {@link Recorded}: a report of what leaked gets the fix of the very line, where a rule matches that line in the
 * sources and what it looks for has the cause that the report tells.
 */
public final class Patches implements PatchMaker {
    /** Calls whose lines are looked at, as where the report reads the source: what is further away nobody would connect with it. */
    private static final int CALLS = 4;

    /** Findings with a patch in the advice of each leak that a rule matches. */
    @Override
    public List<Finding> attach(List<Finding> findings, Sources sources) {
        if (findings.stream().noneMatch(finding -> isCycle(finding) && finding.source() != null)) {
            return findings;
        }
        Reading reading = new Reading(sources);
        return DeepStack.call(() -> findings.stream().map(reading::mended).toList(), findings);
    }

    /** Returns whether it is a cycle that the report's own reading of the source does not cut: what keeps a leak is read there. */
    private static boolean isCycle(Finding finding) {
        return finding.kind() == Finding.Kind.REFERENCE_CYCLE
                && finding.advice().stream().noneMatch(advice -> advice.patch() != null);
    }

    /** Sources as rules of lint read them, each file once. */
    private static final class Reading {
        private final Sources sources;
        private final Linter linter = new Linter(_ -> true);
        private final Map<String, List<LintFinding>> known = new HashMap<>();

        /** Lines of a file in which a rule may match. */
        private record Place(SourceFile file, Predicate<LintFinding> isThere) {}

        Reading(Sources sources) {
            this.sources = sources;
        }

        private Finding mended(Finding leak) {
            return isCycle(leak)
                    ? places(leak)
                            .flatMap(place -> mended(leak, place).stream())
                            .findFirst()
                            .orElse(leak)
                    : leak;
        }

        /** Where a rule may match: at the cycle's holder, else in the class or function of one of the calls, where what it keeps is made. */
        private Stream<Place> places(Finding leak) {
            List<Place> calls = RecordedPlaces.frames(leak)
                    .limit(CALLS)
                    .flatMap(frame ->
                            sources.whole(frame).filter(Reading::isOwn).stream().map(file -> inDefinition(file, frame)))
                    .toList();
            Stream<Place> holders = calls.stream()
                    .map(place -> new Place(place.file, finding -> RecordedPlaces.isHeldAt(leak, finding)));
            return Stream.concat(holders, calls.stream());
        }

        private static Place inDefinition(SourceFile file, Frame frame) {
            var tree = new dev.leakline.python.flow.SourceFile(file.name(), file.text());
            return new Place(file, finding -> RecordedPlaces.isInDefinition(frame, finding, tree));
        }

        /** A name that could be taken for other lines of a patch is nobody's. */
        private static boolean isOwn(SourceFile file) {
            return !Lint.isSkipped(file.name()) && file.name().chars().noneMatch(Character::isISOControl);
        }

        /** All that one rule matches there: what several lines keep is only free when none of them does. */
        private Optional<Finding> mended(Finding leak, Place place) {
            List<LintFinding> there = findings(place.file).stream()
                    .filter(place.isThere)
                    .filter(finding -> !finding.fix().edits().isEmpty())
                    .filter(finding ->
                            leak.cause() == null || finding.rule().causes().contains(leak.cause()))
                    .toList();
            return there.stream().findFirst().map(LintFinding::rule).map(rule -> {
                List<LintFinding> same = there.stream()
                        .filter(finding -> finding.rule().equals(rule))
                        .toList();
                boolean isSafe = same.stream().allMatch(finding -> finding.fix().isSafe());
                Advice first = Advice.of(rule.fix(), rule.why(), leak.bytes(), "", "", rule.link())
                        .withPatch(
                                Fixer.patch(place.file.name(), place.file.text(), same),
                                isSafe ? PatchSafety.SAFE : PatchSafety.REVIEW,
                                isSafe ? "The program does what it did." : "The edit changes what refers to what.");
                return leak.withAdvice(Stream.concat(
                                Stream.of(first), leak.advice().stream().map(advice -> advice.withExample("", "")))
                        .toList());
            });
        }

        private List<LintFinding> findings(SourceFile file) {
            return Objects.requireNonNull(known.computeIfAbsent(file.name(), name -> {
                try {
                    return linter.lint(name, PythonText.of(file.text())).findings().stream()
                            .filter(finding -> finding.confidence() >= Configuration.LEAST_CONFIDENCE)
                            .toList();
                } catch (StackOverflowError e) {
                    return List.of();
                }
            }));
        }
    }
}
