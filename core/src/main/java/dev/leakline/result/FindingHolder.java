package dev.leakline.result;

import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Group;
import org.jspecify.annotations.Nullable;

/**
 * Who keeps memory of a finding alive, by a holder dump of the same process.
 *
 * @param input the index of the dump among the inputs
 * @param findingBytes what the blocks of the finding that it keeps take
 * @param findingBlocks how many those are
 * @param group how it keeps them, and all else that is kept in that way
 * @param cycle the cycle that keeps them, null where something with a name does
 */
public record FindingHolder(
        int input,
        long findingBytes,
        int findingBlocks,
        Group group,
        @Nullable Cycle cycle) {}
