package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;

import dev.leakline.result.WhatIf.Credibility;
import dev.leakline.result.WhatIf.Failure;
import dev.leakline.result.WhatIf.MemorySource;
import dev.leakline.result.WhatIf.Recommendation;
import dev.leakline.result.WhatIf.Trial;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Chooses one setting among those that were replayed, or none.
 *
 * <p>A job that ran out needs one under which all recorded requests are met; what it would have requested after the recording's end, no
 * replay knows. A job that did not is left alone, unless a setting spares memory that is
 * worth a change, at a price in calls to the driver that nobody notices. Where memory is short, all of it is reserved sooner or later, so what tells
 * settings apart is with how little each would have done; run for real, those that did with least went on furthest. Of those that are equally good the one with the fewest options is
 * best, and then the one that asks the driver least.
 */
final class Recommender {
    /** Below this share of what is reserved no batch becomes larger by the change. */
    private static final double WORTH_SHARE = 0.1;
    /** Ten large segments; what a job that is at rest has more or less of from run to run. */
    private static final long WORTH_BYTES = 200 * MIB;
    /** Peaks this near to one another are the same: which of two equal blocks is taken depends on addresses, which differ from run to run. */
    private static final double SAME = 0.02;
    /** The time of a call to the driver, with the wait for running kernels that cudaFree causes. */
    private static final double CALL_MICROS = 1000;
    /** The share of a job's time that may go to more calls. */
    private static final double PRICE = 0.01;

    /** The choice and the reason. */
    record Choice(@Nullable Recommendation recommendation, String reason) {}

    private final Credibility credibility;
    private final Trial recorded;
    private final Capacity capacity;
    private final long micros;
    private final int events;

    /**
     * @param recorded the replay under the settings of the recording
     * @param capacity what the job could take
     * @param micros how long the recording lasted, 0 where it has no times
     * @param events how many it has
     */
    Recommender(Credibility credibility, Trial recorded, Capacity capacity, long micros, int events) {
        this.credibility = credibility;
        this.recorded = recorded;
        this.capacity = capacity;
        this.micros = micros;
        this.events = events;
    }

    /** The setting to use of those that were tried. */
    Choice choose(List<Trial> others) {
        List<Trial> fitting =
                others.stream().filter(other -> other.failure() == null).toList();
        if (!isLikeRecording()) {
            return new Choice(
                    null,
                    "the replay with the recorded settings does not run out of memory where the job did, so replays"
                            + " with other settings are not reliable.");
        }
        if (!credibility.isReliable()) {
            return new Choice(
                    null,
                    "the replay with the recorded settings agrees with only " + Numbers.percent(credibility.share())
                            + " of what the recording shows, so replays with other settings are not reliable.");
        }
        return recorded.failure() == null ? toSpare(fitting) : toFit(recorded.failure(), fitting, others);
    }

    /** Where a request failed in the recording, the replay under the same settings must fail at it too. */
    private boolean isLikeRecording() {
        Failure failure = recorded.failure();
        return capacity.source() != MemorySource.FAILED_REQUEST || (failure != null && failure.wasRecorded());
    }

    private Choice toFit(Failure failure, List<Trial> fitting, List<Trial> all) {
        return best(fitting, Trial::leastBytes)
                .map(best -> new Choice(
                        recommend(best),
                        "the request of " + ByteSize.format(failure.requestedBytes()) + " at event "
                                + Numbers.grouped(failure.event()) + " is met" + spare(best) + ". " + unknown(failure)))
                .orElseGet(() -> new Choice(
                        null,
                        "the job runs out of memory with all " + (all.size() + 1) + " replayed settings. "
                                + floor(failure)));
    }

    /** The memory that no setting reduces. Only blocks from before the recording can exceed the device: a replay does not allocate them. */
    private String floor(Failure failure) {
        String live = ByteSize.format(recorded.peakBytes());
        return recorded.peakBytes() > capacity.bytes()
                ? "Blocks that are live where the recording begins take " + live + ", more than "
                        + ByteSize.format(capacity.bytes()) + "; no setting makes them smaller."
                : "Live blocks alone take up to " + live + ", and " + ByteSize.format(failure.requestedBytes())
                        + " are requested.";
    }

    /** The sentence on what is not known: nothing that a program does after the last recorded event can be replayed. */
    private String unknown(Failure failure) {
        int after = events - 1 - failure.event();
        return (after == 0
                        ? "The recording ends there, so"
                        : "The recording ends " + Numbers.counted(after, "event") + " later without another failure;")
                + " whether the job then goes on to its end is not known.";
    }

    private String spare(Trial best) {
        long spare = Math.max(capacity.bytes() - best.leastBytes(), 0);
        return spare == 0 ? "" : ", even with " + ByteSize.format(spare) + " less memory";
    }

    private Choice toSpare(List<Trial> fitting) {
        List<Trial> worthIt = fitting.stream()
                .filter(this::isWorthIt)
                .filter(this::isAffordable)
                .toList();
        return best(worthIt, Trial::peakReservedBytes).map(this::sparing).orElseGet(this::none);
    }

    private Choice sparing(Trial best) {
        return new Choice(
                recommend(best),
                "it reserves " + ByteSize.format(best.peakReservedBytes()) + " at its peak instead of "
                        + ByteSize.format(recorded.peakReservedBytes()) + ", of which "
                        + ByteSize.format(recorded.peakBytes()) + " were allocated.");
    }

    private Choice none() {
        String use = ByteSize.format(recorded.peakBytes()) + " of " + ByteSize.format(recorded.peakReservedBytes())
                + " reserved memory were allocated at the peak";
        return new Choice(
                null, use + ", and no setting saves a tenth of the reserved memory without too many driver calls.");
    }

    private boolean isWorthIt(Trial outcome) {
        long saved = saved(outcome);
        long error = Math.abs(recorded.peakReservedBytes() - credibility.recordedPeakReservedBytes());
        return saved >= WORTH_BYTES && saved >= WORTH_SHARE * recorded.peakReservedBytes() && saved > 2 * error;
    }

    private boolean isAffordable(Trial outcome) {
        long more = calls(outcome) - calls(recorded);
        return micros == 0 || more * CALL_MICROS <= PRICE * micros || more <= calls(recorded);
    }

    private static long calls(Trial outcome) {
        return outcome.driverCalls() + outcome.releases();
    }

    private static Optional<Trial> best(List<Trial> outcomes, ToLongFunction<Trial> memory) {
        long least = outcomes.stream().mapToLong(memory).min().orElse(0);
        return outcomes.stream()
                .filter(outcome -> memory.applyAsLong(outcome) <= least * (1 + SAME))
                .min(Comparator.comparingLong(Recommender::options)
                        .thenComparingLong(Recommender::calls)
                        .thenComparing(Trial::settings));
    }

    private static long options(Trial outcome) {
        return outcome.settings().chars().filter(character -> character == ':').count();
    }

    private Recommendation recommend(Trial outcome) {
        return new Recommendation(outcome.settings(), saved(outcome));
    }

    private long saved(Trial outcome) {
        return Math.max(recorded.peakReservedBytes() - outcome.peakReservedBytes(), 0);
    }
}
