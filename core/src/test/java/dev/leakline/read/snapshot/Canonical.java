package dev.leakline.read.snapshot;

import dev.leakline.columns.AnnotationColumns;
import dev.leakline.columns.BlockColumns;
import dev.leakline.columns.EventColumns;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** All that columns say, as text without the numbers that stand for strings, frames, stacks and pools. */
public final class Canonical {
    private final SnapshotColumns columns;
    private final List<String> lines = new ArrayList<>();

    private Canonical(SnapshotColumns columns) {
        this.columns = columns;
    }

    public static List<String> of(byte[] file) throws IOException {
        Content.Recording read =
                (Content.Recording) new Formats(ReadLimits.DEFAULT, _ -> {}).read(new ByteArrayInputStream(file));
        if (read.truncation() != null) {
            throw read.truncation();
        }
        return of(read.columns());
    }

    public static List<String> of(SnapshotColumns columns) {
        Canonical canonical = new Canonical(columns);
        canonical.write();
        return canonical.lines;
    }

    private void write() {
        lines.add("top " + columns.topKeys + " event keys " + columns.eventKeys + " settings " + columns.settings);
        lines.add("unused " + columns.counters.counts());
        columns.traces.forEach(trace -> lines.add(trace.toString()));
        for (int event = 0; event < columns.events.size(); event++) {
            writeEvent(columns.events, event);
        }
        for (int segment = 0; segment < columns.segments.size(); segment++) {
            writeSegment(columns.segments.row(segment));
        }
        for (int block = 0; block < columns.blocks.size(); block++) {
            writeBlock(columns.blocks, block);
        }
        for (int mark = 0; mark < columns.annotations.size(); mark++) {
            writeMark(columns.annotations, mark);
        }
    }

    private void writeEvent(EventColumns events, int event) {
        add(
                events.action(event),
                events.address(event),
                events.size(event),
                events.timeMicros(event),
                events.stream(event),
                stack(events.stack(event)),
                columns.pools.get(events.pool(event)),
                columns.strings.get(events.compileContext(event)),
                columns.strings.get(events.userMetadata(event)));
    }

    private void writeSegment(SegmentColumns.Row row) {
        add(
                "segment",
                row.device(),
                row.address(),
                row.totalSize(),
                row.allocatedSize(),
                row.activeSize(),
                row.stream(),
                columns.pools.get(row.pool()),
                row.isLarge(),
                row.isExpandable(),
                stack(row.stack()),
                row.firstBlock(),
                row.blockCount());
    }

    private void writeBlock(BlockColumns blocks, int block) {
        add(
                "block",
                blocks.address(block),
                blocks.size(block),
                blocks.requestedSize(block),
                blocks.state(block),
                stack(blocks.stack(block)));
    }

    private void writeMark(AnnotationColumns marks, int mark) {
        add(
                "mark",
                columns.strings.get(marks.name(mark)),
                marks.isStart(mark),
                marks.device(mark),
                marks.timeMicros(mark));
    }

    private String stack(int stack) {
        StringJoiner frames = new StringJoiner(" < ", "[", "]");
        for (int depth = 0; depth < columns.stacks.depth(stack); depth++) {
            int frame = columns.stacks.frame(stack, depth);
            frames.add(columns.frames.file(frame) + ":" + columns.frames.line(frame) + " "
                    + columns.frames.function(frame));
        }
        return frames.toString();
    }

    private void add(Object... fields) {
        StringJoiner line = new StringJoiner(" ");
        for (Object field : fields) {
            line.add(String.valueOf(field));
        }
        lines.add(line.toString());
    }
}
