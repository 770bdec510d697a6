package dev.leakline.read.snapshot;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;

/** Lists of rows: each a first row and how many follow it without a gap. */
final class RowRanges {
    private final IntArrayList firsts = new IntArrayList();
    private final IntArrayList counts = new IntArrayList();

    /** Begins a list with a run of rows and answers its index. */
    int add(long run) {
        firsts.add(ValueStack.runFirst(run));
        counts.add(ValueStack.runCount(run));
        return firsts.size() - 1;
    }

    /** Adds a run of rows to a list. */
    void extend(int range, long run) throws ReadException {
        if (ValueStack.runFirst(run) != firsts.get(range) + counts.get(range)) {
            throw new ReadException(Code.DAMAGED, -1, "the rows of two lists are mixed");
        }
        counts.set(range, counts.get(range) + ValueStack.runCount(run));
    }

    int first(int range) {
        return firsts.get(range);
    }

    int count(int range) {
        return counts.get(range);
    }
}
