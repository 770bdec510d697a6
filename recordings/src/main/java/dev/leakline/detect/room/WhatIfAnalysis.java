package dev.leakline.detect.room;

import dev.leakline.allocator.AllocatorSettings;
import dev.leakline.allocator.Replays;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.WhatIf.Device;
import dev.leakline.result.WhatIf.Failure;
import dev.leakline.result.WhatIf.Trial;
import dev.leakline.site.StackSites;
import java.util.List;
import java.util.stream.Stream;

/** Replays the devices of a snapshot under other settings and names the lines whose requests fail. */
public final class WhatIfAnalysis {
    private final SnapshotColumns columns;
    private final StackSites stacks;

    /** Replays a snapshot. */
    public WhatIfAnalysis(SnapshotColumns columns) {
        this.columns = columns;
        this.stacks = new StackSites(columns);
    }

    /** The devices that recorded anything, replayed under the settings given, or under all that are worth a try. */
    public Stream<Device> devices(int input, long memory, List<AllocatorSettings> settings) {
        return LifetimeBuilder.devices(columns).stream()
                .filter(device -> device >= 0)
                .map(device -> LifetimeBuilder.build(columns, device))
                .filter(lifetimes -> lifetimes.events().count() > 0)
                .map(lifetimes -> device(lifetimes, new Replays(columns, lifetimes, memory).compare(input, settings)));
    }

    private Device device(Lifetimes lifetimes, Device device) {
        return device.withOutcomes(outcome -> located(lifetimes, outcome));
    }

    private Trial located(Lifetimes lifetimes, Trial outcome) {
        Failure failure = outcome.failure();
        return failure == null
                ? outcome
                : outcome.withFailure(failure.at(
                        stacks.of(lifetimes.events().stack(failure.event())).site()));
    }
}
