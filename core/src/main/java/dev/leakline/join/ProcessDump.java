package dev.leakline.join;

import dev.leakline.holders.HeldProcess;
import dev.leakline.result.Holders;
import java.util.List;

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
        return (int) Math.min(holders().dumps().getLast().rank(), Integer.MAX_VALUE);
    }

    /** The index of the last dump, which all is about. */
    int last() {
        return inputs.get(inputs.size() - 1);
    }

    /** When the last dump was made, in Unix microseconds. */
    long timeMicros() {
        return holders().dumps().getLast().timeUs();
    }
}
