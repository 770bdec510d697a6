package dev.leakline.join;

import dev.leakline.holders.HeldProcess;
import dev.leakline.known.Cause;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Frame;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Dump;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Owner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The dumps of a process that are to be joined with a snapshot.
 *
 * @param process what the dumps of the same process say
 * @param inputs the indices of those dumps among the inputs, oldest first
 */
public record ProcessDump(HeldProcess process, List<Integer> inputs) {
    /** The holders in the dumps. */
    Holders holders() {
        return process.holders();
    }

    /** The process's rank in its job; negative where it has none. */
    public int rank() {
        return (int) Math.min(newest().rank(), Integer.MAX_VALUE);
    }

    /** Returns whether a line called the garbage collector when it gave back device memory, as the probe saw. */
    public boolean collects(Frame line) {
        return process.collectCalls().contains(line);
    }

    /** The index of the last dump, which all is about. */
    int last() {
        return inputs.get(inputs.size() - 1);
    }

    /** When the last dump was made, in Unix microseconds. */
    long timeMicros() {
        return newest().timeUs();
    }

    /** The last dump. */
    Dump newest() {
        return holders().dumps().getLast();
    }

    /** A group, by its number, as what holds so much of a finding. */
    FindingHolder holder(int number, long bytes, int blocks) {
        Group group = holders().groups().get(number);
        return FindingHolder.of(last(), newest().program(), bytes, blocks, group, cycle(number));
    }

    /** The cycle that keeps a group, by its number; what was filled before it became garbage was kept by its container. */
    @Nullable
    Cycle cycle(int number) {
        Group group = holders().groups().get(number);
        if (!Cause.CYCLE.id().equals(group.cause())) {
            return null;
        }
        return holders().cycles().stream()
                .filter(cycle ->
                        group.owner() == Owner.CYCLE && cycle.signature().equals(group.signature()))
                .findFirst()
                .orElse(null);
    }
}
