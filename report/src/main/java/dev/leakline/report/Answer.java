package dev.leakline.report;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.InputFile;
import dev.leakline.result.JobProcess;
import dev.leakline.result.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parts of a result that are an answer, for all that has little room: a screen, and a few hundred tokens of JSON. */
public final class Answer {
    /** The option that gives sources. */
    static final String SOURCE = "--source DIR";

    private static final int STEPS = 2;

    private final AnalysisResult result;
    private final Given given;

    /** The answer that a result is, about some files. */
    public Answer(AnalysisResult result, Given given) {
        this.result = result;
        this.given = given;
    }

    /** The finding to speak of; null where there is none, or where texts speak. */
    public @Nullable Finding finding() {
        return result.spoken() != null || result.findings().isEmpty()
                ? null
                : result.findings().getFirst();
    }

    /** The owner of most of that finding's memory, as dumps show it. */
    public Optional<FindingHolder> holder() {
        return Optional.ofNullable(finding())
                .flatMap(finding -> finding.holders().stream().findFirst());
    }

    /** The figures of that finding which matter first: how fast it grows, when that fills the device. */
    public List<Line> figures() {
        Finding finding = finding();
        return finding == null ? List.of() : finding.figures();
    }

    /** The line of a text that the answer rests on; empty where it rests on none. */
    public Optional<Conclusion.Evidence> evidence() {
        return Optional.ofNullable(result.conclusion())
                .filter(_ -> result.spoken() != null || result.spokenBy() == AnalysisResult.Source.MESSAGES)
                .flatMap(said -> said.evidence().stream().findFirst());
    }

    /** The steps to take first: where nothing is wrong but on the host, what to do about that. */
    public List<Advice> steps() {
        boolean isHosts = finding() == null && result.leaksOnHost();
        JobProcess worst = result.worstOnHost();
        Stream<Advice> steps = isHosts && worst != null
                ? worst.hostMemory().advice().stream().map(action -> Advice.of(action, "", 0))
                : result.advice().stream();
        return steps.limit(STEPS).toList();
    }

    /** Questions that the evidence leaves open, the most important first; without a full stop. */
    public List<String> unknown() {
        List<String> open = new ArrayList<>();
        result.inputs().stream()
                .map(InputFile::incomplete)
                .filter(Objects::nonNull)
                .limit(1)
                .forEach(reason -> open.add("what comes after the end of the file: " + reason));
        if (result.leaks() != null) {
            open.add("whether it leaks: " + result.reason());
        }
        Conclusion said = result.spoken();
        if (said != null && !said.open().isEmpty()) {
            open.add(said.open());
        }
        Finding finding = finding();
        if (finding != null && finding.growth() != null) {
            if (finding.holders().isEmpty()) {
                open.add("who keeps it: no dump of the job's objects is at hand");
            }
            if (lacksSource()) {
                open.add("what the code does: its source is not at hand (" + SOURCE + ")");
            }
            if (!Double.isFinite(finding.stepsToOom())
                    && result.devices().stream().allMatch(device -> device.fit() == null)) {
                open.add("when the device is full: its memory is not known (--device-memory SIZE)");
            }
        }
        return open;
    }

    /** The command that goes on from here. */
    public NextCommand next() {
        return NextCommand.of(result, given);
    }

    /** Returns whether that finding is about a line that keeps memory, and nobody gave its source. */
    boolean lacksSource() {
        Finding finding = finding();
        return finding != null && isKept() && finding.site().isLine() && finding.source() == null;
    }

    /** Returns whether that finding is about memory that stays. */
    boolean isKept() {
        Finding finding = finding();
        return finding != null && (finding.growth() != null || finding.kind() == Kind.REFERENCE_CYCLE);
    }
}
