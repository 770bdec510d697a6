package dev.leakline.allocator;

import dev.leakline.allocator.AllocatorStats.Share;
import dev.leakline.result.WhatIf.Trial;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Replays under several settings at once, each half of the pools only once for all settings that do the same to it.
 *
 * <p><b>Why that may be.</b> A request of up to 1 MiB is served from the small half of its pool and any other from the large half, under all settings, and the
 * halves share no segment. They meet where memory is short: then the one must give back what the other needs. As long as the device has enough for both, neither notices
 * the other, and what is held is the sum.
 *
 * <p><b>How it works.</b> All halves go through the operations side by side, some thousands at a time, and what both halves of a setting held at each is added
 * up for its peaks. Where a sum exceeds the memory, or either half alone was refused any, nothing is said of the setting: it has to be replayed whole.
 */
final class SharedReplays {
    private final Replayer replayer;
    private final Map<AllocatorSettings, HalfReplay> small = new HashMap<>();
    private final Map<AllocatorSettings, HalfReplay> large = new HashMap<>();
    private final Map<AllocatorSettings, BothHalves> whole = new HashMap<>();

    private SharedReplays(Replayer replayer, Collection<AllocatorSettings> settings) {
        this.replayer = replayer;
        AlikeSettings alikeForSmall = new AlikeSettings(replayer.workload(), Share.SMALL_POOL);
        AlikeSettings alikeForLarge = new AlikeSettings(replayer.workload(), Share.LARGE_POOL);
        for (AllocatorSettings each : settings) {
            HalfReplay less =
                    small.computeIfAbsent(alikeForSmall.of(each), same -> replayer.half(Share.SMALL_POOL, same));
            HalfReplay more =
                    large.computeIfAbsent(alikeForLarge.of(each), same -> replayer.half(Share.LARGE_POOL, same));
            whole.put(each, new BothHalves(less, more));
        }
    }

    /** The replays under some settings, as far as memory was enough. */
    static Map<AllocatorSettings, Trial> of(Replayer replayer, Collection<AllocatorSettings> settings) {
        SharedReplays replays = new SharedReplays(
                replayer,
                settings.stream().filter(each -> isOfHalves(replayer, each)).toList());
        replays.run();
        return replays.trials();
    }

    /** Returns whether nothing but a lack of memory makes halves meet, and the driver gives no more than is requested of it. */
    private static boolean isOfHalves(Replayer replayer, AllocatorSettings settings) {
        boolean collects = settings.garbageCollectionThreshold() > 0 && settings.perProcessMemoryFraction() < 1;
        return !collects
                && settings.largeSegmentSize() % SimulatedDriver.PAGE == 0
                && replayer.workload().start().isInPages(SimulatedDriver.PAGE);
    }

    private void run() {
        List<HalfReplay> halves = new ArrayList<>(small.values());
        halves.addAll(large.values());
        int end = replayer.workload().size();
        for (int from = 0; from < end; from += HalfReplay.MOST) {
            int first = from;
            int next = Math.min(end - from, HalfReplay.MOST) + from;
            halves.parallelStream().forEach(half -> half.advance(first, next));
            whole.values().forEach(both -> both.add(next - first));
        }
    }

    private Map<AllocatorSettings, Trial> trials() {
        Map<AllocatorSettings, Trial> trials = new HashMap<>();
        whole.forEach((settings, both) -> {
            if (both.fit(replayer.limit(settings))) {
                trials.put(settings, both.trial(settings));
            }
        });
        return trials;
    }
}
