package dev.leakline.cli;

import dev.leakline.HolderDump;
import dev.leakline.attach.SeenGrowth;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says who holds what grows while a job still runs, by the dumps that there are of it by then. */
final class GrowthHolder {
    /** A dump above this takes longer, and more memory, than one line is worth beside a job: 100,000 objects. */
    private static final long MOST_BYTES = 8L << 20;
    /** A container has kept something in nearly each turn: some were before growth showed, some turns keep nothing. */
    private static final double SHARE_OF_TURNS = 0.5;

    private GrowthHolder() {}

    /** What is said of growth, with its holder where the dumps show it. */
    static String sentence(SeenGrowth growth) {
        return growth.sentence(holder(growth).orElse(null));
    }

    private static Optional<String> holder(SeenGrowth growth) {
        try {
            List<HolderDump> dumps = new ArrayList<>();
            for (String name : List.of(".growth-before.holders", ".growth.holders")) {
                Path file = growth.stem().resolveSibling(growth.stem().getFileName() + name);
                if (Files.exists(file) && Files.size(file) <= MOST_BYTES) {
                    dumps.add(HolderDump.open(file));
                }
            }
            return dumps.isEmpty() ? Optional.empty() : grown(HolderDump.explain(dumps), growth.count());
        } catch (IOException | RuntimeException e) {
            return Optional.empty(); // the line does without, and the report says why
        }
    }

    private static Optional<String> grown(Holders holders, long turns) {
        return holders.groups().stream()
                .filter(group -> isGrown(group, turns))
                .findFirst()
                .map(Group::title);
    }

    /** By two dumps; in one, by a container with as many items as the loop had turns. */
    private static boolean isGrown(Group group, long turns) {
        return group.growth() != null
                ? group.growth().isSteady() && group.growth().newStorages() > 0
                : group.verdict() != Holders.Verdict.EXPECTED
                        && group.accumulation() != null
                        && group.accumulation().items() >= turns * SHARE_OF_TURNS;
    }
}
