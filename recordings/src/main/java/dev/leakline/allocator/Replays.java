package dev.leakline.allocator;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.WhatIf.Credibility;
import dev.leakline.result.WhatIf.Device;
import dev.leakline.result.WhatIf.Trial;
import java.util.List;

/**
 * Replays the recording of a device under any settings.
 *
 * <p>Read-only, any number of threads; replays under several settings run side by side.
 */
public final class Replays {
    private final Lifetimes lifetimes;
    private final Workload workload;
    private final Capacity capacity;
    private final ReplayCheck check;

    /** Replays of a device; {@code memory} is what the job may take of it, 0 where only the recording may tell. */
    public Replays(SnapshotColumns columns, Lifetimes lifetimes, long memory) {
        this(columns, lifetimes, memory, AllocatorSettings.of(columns.settings));
    }

    /** Replays under settings that the recording lacks in part, such as a memory fraction that the program itself set. */
    public Replays(SnapshotColumns columns, Lifetimes lifetimes, long memory, AllocatorSettings settings) {
        this.lifetimes = lifetimes;
        this.workload = WorkloadBuilder.build(columns, lifetimes, settings);
        this.capacity = Capacity.of(memory, columns, lifetimes.events(), workload);
        this.check = ReplayCheck.best(columns, lifetimes, workload, capacity);
    }

    /** How well the model tells what was recorded. */
    public Credibility credibility() {
        return check.credibility();
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
        Trials trials = new Trials(check, others);
        if (trials.recorded().failure() != null) {
            trials.findLeast();
        }
        Trial recorded = trials.recorded();
        List<Trial> outcomes = others.stream().map(trials::of).toList();
        Recommender.Choice choice = new Recommender(
                        credibility(),
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
                credibility(),
                recorded,
                outcomes,
                choice.recommendation(),
                choice.reason());
    }

    private long micros() {
        DeviceEvents events = lifetimes.events();
        return events.count() == 0 ? 0 : events.timeMicros(events.count() - 1) - events.timeMicros(0);
    }
}
