package dev.leakline.read.snapshot;

import static dev.leakline.read.snapshot.ValueStack.DICT;
import static dev.leakline.read.snapshot.ValueStack.LIST;
import static dev.leakline.read.snapshot.ValueStack.LIST_OF;
import static dev.leakline.read.snapshot.ValueStack.MAP;
import static dev.leakline.read.snapshot.ValueStack.PENDING;
import static dev.leakline.read.snapshot.ValueStack.STRING;

import dev.leakline.source.ReadException;

/**
 * Ends a snapshot that its file ended too early.
 *
 * <p>What is open lies on the stack, from the outermost container to the value that was read last. From the top down, an open list is
 * closed with the rows that it has, an open dictionary is dropped, as it may lack anything, and the outermost dictionary gets what
 * was found for its last key.
 */
final class Salvage {
    private final Assembler assembler;
    private final ValueStack stack;

    Salvage(Assembler assembler) {
        this.assembler = assembler;
        this.stack = assembler.stack;
    }

    /** Closes what a file left open when it ended too early: whole rows are kept, the row that was cut is dropped. */
    void closeAll() throws ReadException {
        while (stack.depth > 1 || stack.hasMark()) {
            int top = stack.depth - 1;
            boolean isCut = top > 0 && (stack.kinds[top] == DICT || stack.kinds[top] == PENDING);
            if (isCut) {
                stack.depth--;
            }
            if (!isCut && !foldSingle()) {
                closeInnermost();
            }
        }
    }

    private boolean foldSingle() throws ReadException {
        int top = stack.depth - 1;
        if (top - stack.floor() >= 2 && stack.kinds[top - 2] == STRING && accepts(top - 1, top)) {
            assembler.appends(top);
            return true;
        }
        if (top == 2 && !stack.hasMark() && stack.kinds[1] == STRING) {
            assembler.setItem();
            return true;
        }
        return false;
    }

    private boolean accepts(int list, int item) {
        byte kind = stack.kinds[item];
        byte into = stack.kinds[list];
        boolean isRowOf = ValueStack.isRows(kind) && (into == LIST || into == kind + LIST_OF);
        return isRowOf || (ListRows.isTrace(kind) && ListRows.isTraces(into) && into != kind);
    }

    private void closeInnermost() throws ReadException {
        if (!stack.hasMark()) {
            stack.depth--;
            return;
        }
        int mark = stack.popMark();
        if (mark == 1 && (stack.kinds[0] == DICT || stack.kinds[0] == MAP)) {
            stack.depth -= stack.depth - mark & 1;
            assembler.setItems(mark);
        } else if (mark > 0 && ListRows.isList(stack.kinds[mark - 1])) {
            assembler.appends(mark);
        } else {
            stack.depth = Math.max(mark - 1, 0);
        }
    }
}
