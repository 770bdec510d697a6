package dev.leakline.detect.room;

import dev.leakline.allocator.Replays;
import dev.leakline.columns.Recorder;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.AllocatorAdvice;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.WhatIf.Credibility;
import dev.leakline.result.WhatIf.Device;
import dev.leakline.result.WhatIf.Recommendation;
import dev.leakline.result.WhatIf.Trial;
import dev.leakline.text.Numbers;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds allocator settings under which the failed requests would have succeeded, by replaying the recording under the most likely few. */
final class FittingSettings {
    private final @Nullable Device replayed;

    FittingSettings(Evidence evidence) {
        this.replayed = evidence.columns().recorder == Recorder.PROFILER
                ? null
                : new Replays(evidence.columns(), evidence.lifetimes(), 0).compareLikeliest(evidence.input());
    }

    /** Returns whether the model ran out where the job did, so that its word on other settings counts. */
    boolean isCredible() {
        return replayed != null
                && replayed.credibility().isReliable()
                && replayed.recorded().failure() != null
                && replayed.recorded().failure().wasRecorded();
    }

    /** Returns whether a request fails at an event, or an earlier one does, where segments grow page by page too: their gaps are not the cause, then. */
    boolean failsWithoutSegments(int event) {
        return isCredible()
                && Objects.requireNonNull(replayed).others().stream()
                        .filter(trial -> AllocatorAdvice.isExpandable(trial.settings()))
                        .map(Trial::failure)
                        .anyMatch(failure -> failure != null && failure.event() <= event);
    }

    /** To use the setting under which all recorded requests are met, where there is one. */
    Optional<Advice> advice() {
        return Optional.ofNullable(replayed)
                .filter(_ -> isCredible())
                .flatMap(device -> Optional.ofNullable(device.recommendation())
                        .map(recommendation -> advice(recommendation, device.reason())));
    }

    private static Advice advice(Recommendation recommendation, String reason) {
        return AllocatorAdvice.settings(
                recommendation.settings(), "Replayed with it, " + reason, recommendation.savedBytes());
    }

    /** The result of the replays and their reliability; only if they are reliable. */
    Finding.Proof seen() {
        Device device = Objects.requireNonNull(replayed);
        Credibility credibility = device.credibility();
        String agreement = " (the model agrees with " + credibility.matchingDriverEvents() + " of "
                + Numbers.counted(credibility.recordedDriverEvents(), "driver event") + " of the recording)";
        return Finding.Proof.of(
                device.recommendation() == null
                        ? "replayed under " + tried(device) + ", it runs out as well" + agreement
                        : "replayed under " + device.recommendation().settings() + ", all recorded requests are met"
                                + agreement);
    }

    private static String tried(Device device) {
        return device.others().stream().map(Trial::settings).collect(Collectors.joining(", or "));
    }
}
