package dev.leakline.cli;

import dev.leakline.HolderDump;
import dev.leakline.attach.SeenGrowth;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says what grows while a job still runs, and who holds it by the dumps that there are by then. A container that has a bound, and room for that many
 * items on its device, is filled and raises no alarm.
 */
final class GrowthLines {
    /** A dump above this takes longer, and more memory, than one line is worth beside a job: 100,000 objects. */
    private static final long MOST_BYTES = 8L << 20;
    /** A container has kept something in nearly each turn: some were before growth showed, some turns keep nothing. */
    private static final double SHARE_OF_TURNS = 0.5;
    /** The least share of the growth that bounded containers must explain: with less, something else grows as much. */
    private static final double EXPLAINED = 0.5;

    /** Stems of the files of processes whose growth was told, and whose end was not. */
    private final Set<Path> told = new HashSet<>();

    /** The line about a note; none where a bounded container is filled, nor for the end of growth that was not told. */
    Optional<String> line(SeenGrowth growth) {
        if (growth.hasEnded()) {
            return told.remove(growth.stem()) ? Optional.of(growth.end()) : Optional.empty();
        }
        List<Group> grown = grown(growth);
        if (filled(grown, growth) >= growth.bytes() * EXPLAINED) {
            return Optional.empty();
        }
        told.add(growth.stem());
        return Optional.of(
                growth.sentence(grown.stream().findFirst().map(Group::title).orElse(null)));
    }

    private static List<Group> grown(SeenGrowth growth) {
        try {
            List<HolderDump> dumps = new ArrayList<>();
            for (String name : List.of(".growth-before.holders", ".growth.holders")) {
                Path file = growth.stem().resolveSibling(growth.stem().getFileName() + name);
                if (Files.exists(file) && Files.size(file) <= MOST_BYTES) {
                    dumps.add(HolderDump.open(file));
                }
            }
            return dumps.isEmpty() ? List.of() : grown(HolderDump.explain(dumps), growth.count());
        } catch (IOException | RuntimeException e) {
            return List.of(); // the line does without, and the report says why
        }
    }

    private static List<Group> grown(Holders holders, long turns) {
        return holders.groups().stream().filter(group -> isGrown(group, turns)).toList();
    }

    /** By two dumps; in one, by a container with as many items as the loop had turns. */
    private static boolean isGrown(Group group, long turns) {
        return group.growth() != null
                ? group.growth().isSteady()
                        && group.growth().hasGrown()
                        && group.growth().newStorages() > 0
                : group.verdict() != Holders.Verdict.EXPECTED
                        && (group.accumulation() != null || group.mostItems() > 0)
                        && items(group) >= turns * SHARE_OF_TURNS;
    }

    /** Bytes of the growth that are in containers which will be full before their device is. */
    private static double filled(List<Group> grown, SeenGrowth growth) {
        return grown.stream()
                .filter(group -> group.mostItems() > 0 && items(group) > 0)
                .filter(group -> growth.room() < 0 || growth.room() >= each(group) * (group.mostItems() - items(group)))
                .mapToDouble(group -> each(group) * Math.min(items(group), growth.count()))
                .sum();
    }

    private static double each(Group group) {
        return (double) group.bytes() / items(group);
    }

    /** Items of the container that holds a group; of one that hides them, as of functools.lru_cache, as many as there are storages. */
    private static long items(Group group) {
        return group.accumulation() == null
                ? group.storages()
                : group.accumulation().items();
    }
}
