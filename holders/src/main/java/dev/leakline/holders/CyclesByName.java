package dev.leakline.holders;

import dev.leakline.result.Holders.Cycle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reference cycles of a dump, those of one name as one. */
final class CyclesByName {
    private final HeldDump dump;

    CyclesByName(HeldDump dump) {
        this.dump = dump;
    }

    /** The cycles, the largest first. */
    List<Cycle> all() {
        Map<String, List<Integer>> alike = new LinkedHashMap<>();
        for (int i = 0; i < dump.loops.size(); i++) {
            alike.computeIfAbsent(dump.loops.get(i).name(), _ -> new ArrayList<>())
                    .add(i);
        }
        List<Cycle> cycles = new ArrayList<>();
        alike.forEach((name, loops) -> cycles.add(cycle(name, loops)));
        cycles.sort(Comparator.comparingLong((Cycle cycle) -> -cycle.bytes()).thenComparing(Cycle::signature));
        return cycles;
    }

    private Cycle cycle(String name, List<Integer> loops) {
        GatheredGroup group = dump.groups.get("\ncycle\n" + name);
        int largest = loops.stream()
                .max(Comparator.comparingInt(
                        loop -> dump.holding.loops.get(loop).objects()))
                .orElseThrow();
        return new Cycle(
                PathFingerprint.of("\ncycle\n" + name),
                loops.size(),
                dump.holding.loops.get(largest).objects(),
                group == null ? 0 : group.storages.size(),
                group == null ? 0 : group.bytes,
                dump.holding.loops.get(largest).isCollectable(),
                dump.loops.get(largest).hops());
    }
}
