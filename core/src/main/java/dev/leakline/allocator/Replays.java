package dev.leakline.allocator;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.WhatIf.Credibility;
import dev.leakline.result.WhatIf.Device;
import dev.leakline.result.WhatIf.MemorySource;
import dev.leakline.result.WhatIf.Trial;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Replays the recording of a device under any settings.
 *
 * <p>Read-only, any number of threads; replays under several settings run side by side.
 */
public final class Replays {
    /** Addresses beyond those of any process, for segments that no recording has. */
    private static final long BEYOND = 1L << 48;

    /** Of what lies between the live bytes and the limit; a sixteenth of that tells settings apart, and each halving is a replay. */
    private static final int HALVINGS = 4;

    private final SnapshotColumns columns;
    private final Lifetimes lifetimes;
    private final Workload workload;
    private final Capacity capacity;
    private final Checked best;
    private final AlikeSettings alike;

    /** Replays of a device; {@code memory} is what the job may take of it, 0 where only the recording may tell. */
    public Replays(SnapshotColumns columns, Lifetimes lifetimes, long memory) {
        this(columns, lifetimes, memory, AllocatorSettings.of(columns.settings));
    }

    /** Replays under settings that the recording lacks in part, such as a memory fraction that the program itself set. */
    public Replays(SnapshotColumns columns, Lifetimes lifetimes, long memory, AllocatorSettings settings) {
        this.columns = columns;
        this.lifetimes = lifetimes;
        this.workload = new Workload(columns, lifetimes, settings);
        this.capacity = Capacity.of(memory, columns, lifetimes.events(), workload);
        this.best = Collections.max(
                AllocatorRules.of(columns).stream().map(this::check).toList(),
                Comparator.comparingDouble(checked -> checked.credibility.share()));
        this.alike = new AlikeSettings(workload);
    }

    /**
     * The result of checking one version's rules against a recording: how well they agree, and how the replay went.
     *
     * @param isUnlimited whether all the memory that it requested was there
     */
    private record Checked(AllocatorRules rules, Credibility credibility, Trial trial, boolean isUnlimited) {}

    /** Holds a replay under the recorded settings, by the rules of a version, against the recording. */
    private Checked check(AllocatorRules version) {
        RecordedDriver driver = new RecordedDriver(columns, lifetimes.events(), capacity.bytes());
        Verification verification = new Verification(columns.events, driver);
        Trial trial = new Replay(workload, workload.settings(), version, driver, verification).run();
        Credibility agreement = new Credibility(
                verification.recorded(),
                verification.predicted(),
                verification.matching(),
                workload.history().most());
        return new Checked(version, agreement, trial, !driver.hasRefused());
    }

    /** How well the model tells what was recorded. */
    public Credibility credibility() {
        return best.credibility;
    }

    /** Replays under the recorded settings and those given, or, where none are, under all that are worth a try. */
    public Device compare(int input, List<AllocatorSettings> given) {
        return replay(input, given.isEmpty() ? SettingsGrid.around(workload.settings()) : given);
    }

    /** Replays under the recorded settings and the few that help most often. */
    public Device compareLikeliest(int input) {
        return replay(input, SettingsGrid.likeliest(workload.settings()));
    }

    private Device replay(int input, List<AllocatorSettings> others) {
        Map<AllocatorSettings, Trial> trials = Stream.concat(Stream.of(workload.settings()), others.stream())
                .map(alike::of)
                .distinct()
                .parallel()
                .collect(Collectors.toConcurrentMap(Function.identity(), this::under));
        Trial recorded = trial(trials, workload.settings());
        if (recorded.failure() != null) {
            trials.entrySet().parallelStream()
                    .forEach(entry -> entry.setValue(withLeast(entry.getKey(), entry.getValue())));
        }
        List<Trial> outcomes =
                others.stream().map(settings -> trial(trials, settings)).toList();
        Recommender.Choice choice = new Recommender(
                        best.credibility,
                        recorded,
                        capacity,
                        micros(),
                        lifetimes.events().count())
                .choose(outcomes);
        return new Device(
                input,
                lifetimes.device(),
                capacity.bytes(),
                capacity.source(),
                workload.start().isEmpty(),
                best.credibility,
                recorded,
                outcomes,
                choice.recommendation(),
                choice.reason());
    }

    private Trial trial(Map<AllocatorSettings, Trial> trials, AllocatorSettings settings) {
        return Objects.requireNonNull(trials.get(alike.of(settings))).withSettings(settings.conf());
    }

    /** With the memory that is enough for it, as far as a few halvings tell. */
    private Trial withLeast(AllocatorSettings settings, Trial trial) {
        if (trial.failure() != null) {
            return trial;
        }
        long enough = capacity.bytes();
        long little = trial.peakBytes();
        for (int halving = 0; halving < HALVINGS; halving++) {
            long middle = little + (enough - little) / 2;
            if (replay(settings, new Capacity(middle, capacity.source())).fits()) {
                enough = middle;
            } else {
                little = middle;
            }
        }
        return trial.withLeast(enough);
    }

    /** The job under some settings. */
    Trial under(AllocatorSettings settings) {
        return isChecked(settings) ? best.trial : replay(settings, capacity).run();
    }

    /**
     * Whether the check has carried out this very replay. Its driver gave other addresses; where blocks of equal size are told apart by the
     * ages of their segments, and none of these expands, addresses decide nothing between segments.
     */
    private boolean isChecked(AllocatorSettings settings) {
        return settings.equals(alike.of(workload.settings()))
                && best.isUnlimited
                && best.credibility.share() == 1
                && capacity.source() == MemorySource.UNKNOWN
                && best.rules.prefersOldSegments()
                && !workload.settings().expandableSegments()
                && workload.settings().perProcessMemoryFraction() == 1;
    }

    private Replay replay(AllocatorSettings settings, Capacity limit) {
        return new Replay(workload, settings, best.rules, limit.driver(settings, BEYOND), Replay.Observer.NONE);
    }

    private long micros() {
        DeviceEvents events = lifetimes.events();
        return events.count() == 0 ? 0 : events.timeMicros(events.count() - 1) - events.timeMicros(0);
    }
}
