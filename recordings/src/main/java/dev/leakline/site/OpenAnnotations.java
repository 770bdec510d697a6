package dev.leakline.site;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.AnnotationColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.primitive.Bisection;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The record_function ranges that are open on a device at each time.
 *
 * <p>Ranges are marked by name, with no word of the thread. So an end closes the range of its name that was opened last, and one that
 * was opened before the recording began closes nothing. Read-only.
 */
final class OpenAnnotations {
    /** No range. */
    static final int NONE = -1;

    /** The times of all marks, in order, and the innermost range after each. */
    private final long[] times;

    private final int[] innermost;

    OpenAnnotations(SnapshotColumns columns, int device) {
        AnnotationColumns annotations = columns.annotations;
        int[] marks = IntStream.range(0, annotations.size())
                .filter(mark -> annotations.device(mark) == device)
                .boxed()
                .sorted((a, b) -> Long.compare(annotations.timeMicros(a), annotations.timeMicros(b)))
                .mapToInt(Integer::intValue)
                .toArray();
        this.times = Arrays.stream(marks).mapToLong(annotations::timeMicros).toArray();
        this.innermost = new int[marks.length];
        IntArrayList open = new IntArrayList();
        for (int i = 0; i < marks.length; i++) {
            if (annotations.isStart(marks[i])) {
                open.add(annotations.name(marks[i]));
            } else {
                open.removeLast(annotations.name(marks[i]));
            }
            innermost[i] = open.isEmpty() ? NONE : open.get(open.size() - 1);
        }
    }

    /** The names, as string numbers, of all ranges that are innermost at any time. */
    int[] names() {
        return Arrays.stream(innermost).filter(name -> name != NONE).distinct().toArray();
    }

    /** The name, as a string number, of the range opened last and still open at a time; {@link #NONE} where none is. */
    int innermost(long timeMicros) {
        int later = Bisection.first(times.length, index -> times[index] > timeMicros);
        return later == 0 ? NONE : innermost[later - 1];
    }
}
