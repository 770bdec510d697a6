package dev.leakline.result;

import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Holders.Accumulation;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Growth;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Owner;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.text.Numbers;
import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The owner that keeps memory of a finding alive, from a holder dump of the same process: a {@link Group} of that dump.
 *
 * @param input the index of the dump among the inputs
 * @param program the file or the module that the process of the dump was started with, empty where it is not said
 * @param findingBytes what the blocks of the finding that it keeps take
 * @param findingBlocks how many those are
 * @param signature the group's
 * @param title the group's
 * @param owner the group's
 * @param verdict the group's
 * @param storages the group's
 * @param bytes the group's
 * @param retainedBytes the group's
 * @param sharedBytes the group's
 * @param reachableBytes the group's
 * @param path the group's
 * @param accumulation the group's
 * @param growth the group's
 * @param cause the group's
 * @param advice the group's
 * @param cycle the cycle that keeps them, null where something with a name does
 */
public record FindingHolder(
        int input,
        String program,
        long findingBytes,
        int findingBlocks,
        String signature,
        String title,
        Owner owner,
        Verdict verdict,
        int storages,
        long bytes,
        long retainedBytes,
        long sharedBytes,
        long reachableBytes,
        List<Hop> path,
        @Nullable Accumulation accumulation,
        @Nullable Growth growth,
        @Nullable String cause,
        List<Advice> advice,
        @Nullable Cycle cycle) {
    /** A group of a dump that keeps memory of a finding. */
    public static FindingHolder of(
            int input, String program, long findingBytes, int findingBlocks, Group group, @Nullable Cycle cycle) {
        return new FindingHolder(
                input,
                program,
                findingBytes,
                findingBlocks,
                group.signature(),
                group.title(),
                group.owner(),
                group.verdict(),
                group.storages(),
                group.bytes(),
                group.retainedBytes(),
                group.sharedBytes(),
                group.reachableBytes(),
                group.path(),
                group.accumulation(),
                group.growth(),
                group.cause(),
                group.advice(),
                cycle);
    }

    /** The owner and the memory that its removal frees, in labelled lines. */
    @Json.Property("lines")
    public List<Line> lines() {
        return HolderLines.of(this);
    }

    /** The owner, and how much of the finding it kept at the moment of the dump, in a line. */
    public String sentence() {
        return title + ": " + Numbers.amount(findingBytes, findingBlocks, "block") + " when dumped";
    }

    /** The owner's name, without the module or the call that it is found in. */
    public String name() {
        int place = title.indexOf(" of ");
        return place > 0 ? title.substring(0, place) : title;
    }

    /** The references from the owner to memory, in a line. */
    public String way() {
        return HolderLines.way(this);
    }

    /** The references from the container in which it piles up to the first tensor; none where nothing piles up. */
    public List<Hop> items() {
        if (accumulation == null || accumulation.hop() >= path.size()) {
            return List.of();
        }
        List<Hop> below = path.subList(accumulation.hop() + 1, path.size());
        int others = (int) below.stream().takeWhile(hop -> !hop.isTensor()).count();
        return below.subList(0, Math.min(others + 1, below.size()));
    }

    /** The group. */
    public Group group() {
        return new Group(
                signature,
                title,
                owner,
                verdict,
                storages,
                bytes,
                retainedBytes,
                sharedBytes,
                reachableBytes,
                path,
                accumulation,
                0,
                growth,
                cause,
                advice,
                null);
    }
}
