package dev.leakline.allocator;

import dev.leakline.allocator.AllocatorStats.Share;
import dev.leakline.result.WhatIf.MemorySource;
import dev.leakline.result.WhatIf.Trial;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * How a job goes under several settings. No more is replayed than tells them apart: settings that do the same share a replay
 * ({@link AlikeSettings}) or half of one ({@link SharedReplays}), and what the check has carried out is not repeated.
 */
final class Trials {
    /** Halvings of the range from the live bytes to the limit: a sixteenth of it tells settings apart, and each halving is a replay. */
    private static final int HALVINGS = 4;

    private final ReplayCheck check;
    private final Replayer replayer;
    private final AlikeSettings alike;
    private final Map<AllocatorSettings, Trial> known = new ConcurrentHashMap<>();

    /** Replays a checked job under the recorded settings and others. */
    Trials(ReplayCheck check, List<AllocatorSettings> others) {
        this.check = check;
        this.replayer = check.replayer();
        this.alike = new AlikeSettings(workload(), Share.ALL);
        List<AllocatorSettings> distinct = Stream.concat(Stream.of(workload().settings()), others.stream())
                .map(alike::of)
                .distinct()
                .toList();
        if (isChecked()) {
            known.put(alike.of(workload().settings()), check.trial());
        }
        replay(distinct);
    }

    /** Replays what is not known yet, first as far as halves tell. Where a request failed, they seldom do: then all that is there was used. */
    private void replay(Collection<AllocatorSettings> distinct) {
        if (replayer.capacity().source() != MemorySource.FAILED_REQUEST) {
            known.putAll(SharedReplays.of(replayer, unknown(distinct)));
        }
        unknown(distinct).parallelStream()
                .forEach(
                        settings -> known.put(settings, replayer.whole(settings).run()));
    }

    private List<AllocatorSettings> unknown(Collection<AllocatorSettings> distinct) {
        return distinct.stream().filter(each -> !known.containsKey(each)).toList();
    }

    /** How it goes under the recorded settings. */
    Trial recorded() {
        return of(workload().settings());
    }

    /** How it goes under some of the settings. */
    Trial of(AllocatorSettings settings) {
        return Objects.requireNonNull(known.get(alike.of(settings))).withSettings(settings.conf());
    }

    /** Finds how little memory is enough for each, as far as a few halvings tell. */
    void findLeast() {
        known.entrySet().parallelStream()
                .filter(entry -> entry.getValue().failure() == null)
                .forEach(entry -> entry.setValue(withLeast(entry.getKey(), entry.getValue())));
    }

    private Trial withLeast(AllocatorSettings settings, Trial trial) {
        long enough = replayer.capacity().bytes();
        long little = trial.peakBytes();
        for (int halving = 0; halving < HALVINGS; halving++) {
            long middle = little + (enough - little) / 2;
            if (replayer.with(middle).whole(settings).fits()) {
                enough = middle;
            } else {
                little = middle;
            }
        }
        return trial.withLeast(enough);
    }

    /**
     * Returns whether the check has carried out the replay under the recorded settings. Its driver gave other addresses; where blocks of equal size are told apart by the
     * ages of their segments, and none of these expands, addresses decide nothing between segments.
     */
    private boolean isChecked() {
        return check.isUnlimited()
                && check.credibility().share() == 1
                && replayer.capacity().source() == MemorySource.UNKNOWN
                && replayer.rules().prefersOldSegments()
                && !workload().settings().expandableSegments()
                && workload().settings().perProcessMemoryFraction() == 1;
    }

    private Workload workload() {
        return replayer.workload();
    }
}
