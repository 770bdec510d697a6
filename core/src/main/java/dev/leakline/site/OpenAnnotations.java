package dev.leakline.site;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.AnnotationColumns;
import dev.leakline.columns.SnapshotColumns;
import java.util.stream.IntStream;

/**
 * The record_function ranges that are open on a device at a time that only moves forward.
 *
 * <p>Ranges are marked by name, with no word of the thread. So an end closes the range of its name that was opened last, and one that
 * was opened before the recording began closes nothing.
 */
final class OpenAnnotations {
    private final AnnotationColumns annotations;
    private final int[] marks;
    private final IntArrayList open = new IntArrayList();
    private int next;

    OpenAnnotations(SnapshotColumns columns, int device) {
        this.annotations = columns.annotations;
        this.marks = IntStream.range(0, annotations.size())
                .filter(mark -> annotations.device(mark) == device)
                .boxed()
                .sorted((a, b) -> Long.compare(annotations.timeMicros(a), annotations.timeMicros(b)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The name, as a string number, of the range opened last and still open at a time; -1 where none is. */
    int innermost(long timeMicros) {
        while (next < marks.length && annotations.timeMicros(marks[next]) <= timeMicros) {
            take(marks[next++]);
        }
        return open.isEmpty() ? -1 : open.get(open.size() - 1);
    }

    private void take(int mark) {
        if (annotations.isStart(mark)) {
            open.add(annotations.name(mark));
        } else {
            open.removeLast(annotations.name(mark));
        }
    }
}
