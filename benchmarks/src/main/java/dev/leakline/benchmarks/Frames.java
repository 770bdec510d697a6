package dev.leakline.benchmarks;

import dev.leakline.columns.FrameTable;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.testkit.pickle.Handle;
import dev.leakline.testkit.pickle.ValueStream;
import java.io.IOException;
import java.util.stream.IntStream;

/** Writes lists of frames: a list is one object where the allocator captured one stack, a frame is one object everywhere. */
final class Frames {
    private final StackTable stacks;
    private final FrameTable table;
    private final Handle[] frames;
    private final Handle none = new Handle();
    private final ValueStream out;

    Frames(SnapshotColumns columns, ValueStream out) {
        this.stacks = columns.stacks;
        this.table = columns.frames;
        this.frames =
                IntStream.range(0, table.size()).mapToObj(_ -> new Handle()).toArray(Handle[]::new);
        this.out = out;
    }

    /** Writes the list that a handle stands for. */
    void write(int stack, Handle list) throws IOException {
        if (out.refer(list)) {
            return;
        }
        int depth = stacks.depth(stack);
        out.beginList(depth);
        for (int i = 0; i < depth; i++) {
            writeFrame(stacks.frame(stack, i));
        }
        out.endList();
    }

    /** Writes the one empty list of all that nobody recorded a stack for. */
    void writeNone() throws IOException {
        write(StackTable.NONE, none);
    }

    private void writeFrame(int frame) throws IOException {
        if (out.refer(frames[frame])) {
            return;
        }
        out.beginDict(3);
        out.key("name");
        out.text(table.function(frame));
        out.key("filename");
        out.text(table.file(frame));
        out.key("line");
        out.number(table.line(frame));
        out.endDict();
    }
}
