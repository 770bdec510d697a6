package dev.leakline.join;

import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.result.Holders.Dump;
import dev.leakline.result.Site;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Ratchet.Shape;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the lines of which a recording shows that their growth ended. Dumps are made while memory grows: in three of them a buffer that fills looks like a
 * leak. The recording has the steps between the dumps and after them.
 */
final class EndedGrowth {
    private EndedGrowth() {}

    /** The lines; none where the recording ends before the last two dumps, between which they may have grown. */
    static Set<Site> of(Evidence evidence, ProcessDump dump) {
        Set<Site> ended = new HashSet<>();
        if (reachesBetweenTheLastDumps(
                evidence.lifetimes().events(), dump.holders().dumps())) {
            evidence.groups().all().stream()
                    .filter(group -> hasEnded(evidence.groups().test(group)))
                    .forEach(group -> ended.add(site(evidence, group)));
            evidence.groups().all().stream()
                    .filter(evidence.groups()::grows)
                    .forEach(group -> ended.remove(site(evidence, group)));
        }
        return ended;
    }

    private static boolean reachesBetweenTheLastDumps(DeviceEvents events, List<Dump> dumps) {
        return dumps.size() > 1
                && events.count() > 0
                && events.timeMicros(events.count() - 1)
                        > dumps.get(dumps.size() - 2).timeUs();
    }

    private static boolean hasEnded(@Nullable Ratchet test) {
        return test != null && test.shape() == Shape.ENDS;
    }

    private static Site site(Evidence evidence, Group group) {
        return evidence.sites()
                .site(evidence.survivors().allocation(group.survivors().get(0)));
    }
}
