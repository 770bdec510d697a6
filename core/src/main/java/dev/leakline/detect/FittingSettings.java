package dev.leakline.detect;

import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.WhatIf.Credibility;
import dev.leakline.result.WhatIf.Device;
import dev.leakline.result.WhatIf.Outcome;
import dev.leakline.result.WhatIf.Recommendation;
import java.util.Optional;
import java.util.stream.Collectors;

/** Under which settings of the allocator the requests that failed would have been met: the recording replayed under the likeliest few. */
final class FittingSettings {
    /**
     * With one driver event in ten wrong, the layout in the end is another one; then the model's word on what fits is worth no more than the
     * general advice.
     */
    private static final double CREDIBLE = 0.9;

    private final Device replayed;

    FittingSettings(Evidence evidence) {
        this.replayed = evidence.replays().compareLikeliest(evidence.input());
    }

    /** Whether the model ran out where the job did, so that its word on other settings counts. */
    boolean isCredible() {
        return replayed.credibility().share() >= CREDIBLE
                && replayed.recorded().failure() != null
                && replayed.recorded().failure().wasRecorded();
    }

    /** To use the setting under which the job runs through, where there is one. */
    Optional<Advice> advice() {
        return Optional.ofNullable(replayed.recommendation())
                .filter(_ -> isCredible())
                .map(this::advice);
    }

    private Advice advice(Recommendation recommendation) {
        return AllocatorAdvice.settings(
                recommendation.settings(), "Replayed with it, " + replayed.reason(), recommendation.savedBytes());
    }

    /** What the replays say, and how far to believe them. */
    Finding.Evidence seen() {
        Credibility credibility = replayed.credibility();
        String agreement = " (the model agrees with " + credibility.matching() + " of "
                + Words.count(credibility.recorded(), "driver event") + " of the recording)";
        return Finding.Evidence.of(
                replayed.recommendation() == null
                        ? "replayed under " + tried() + ", it runs out as well" + agreement
                        : "replayed under " + replayed.recommendation().settings() + ", it runs through" + agreement);
    }

    private String tried() {
        return replayed.others().stream().map(Outcome::settings).collect(Collectors.joining(", or "));
    }
}
