package dev.leakline.detect.growth;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Evidence;
import dev.leakline.join.DumpMatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Takes leaks apart by what a dump says of their holders. Two lines of one step that grow at the same steps look like one leak to a recording; where each
 * fills a container of its own, the end of one leaves the other.
 */
final class LeaksByHolder {
    /** The share of a line's memory that one container must have: what is in several belongs to none. */
    private static final double MOST = 0.5;

    private final Evidence evidence;
    private final DumpMatch match;

    LeaksByHolder(Evidence evidence, DumpMatch match) {
        this.evidence = evidence;
        this.match = match;
    }

    /** The leaks, one for each container; what no container is seen to have stays with the largest part of its leak. */
    List<Leak> apart(List<Leak> leaks) {
        return leaks.stream().flatMap(this::apart).toList();
    }

    private Stream<Leak> apart(Leak leak) {
        Map<String, List<Grower>> parts = new LinkedHashMap<>();
        leak.groups()
                .forEach(grower -> parts.computeIfAbsent(container(grower), _ -> new ArrayList<>())
                        .add(grower));
        List<Grower> unseen = parts.remove("");
        if (parts.size() < 2) {
            return Stream.of(leak);
        }
        if (unseen != null) {
            parts.values().iterator().next().addAll(unseen);
        }
        return parts.values().stream().flatMap(part -> LeakSites.find(evidence, part).stream());
    }

    /** The container that has most of what was live of a line when the dump was made; empty where none does. */
    private String container(Grower grower) {
        Map<String, Long> bytes = new HashMap<>();
        long all = 0;
        for (IntCursor survivor : grower.group().survivors()) {
            int allocation = evidence.survivors().allocation(survivor.value);
            long held = evidence.lifetimes().isLive(allocation, match.event())
                    ? evidence.lifetimes().held(allocation)
                    : 0;
            all += held;
            bytes.merge(match.container(allocation), held, Long::sum);
        }
        double most = MOST * all;
        return bytes.entrySet().stream()
                .filter(entry -> entry.getValue() > most)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }
}
