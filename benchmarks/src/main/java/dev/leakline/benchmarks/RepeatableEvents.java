package dev.leakline.benchmarks;

import dev.leakline.columns.Action;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import dev.leakline.columns.StackTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of a recording, made such that they can be repeated: at its end all that is still alive is freed and all segments
 * are given back, as at the end of a job.
 */
final class RepeatableEvents {
    /** From one repetition's last event to the next one's first. */
    private static final long PAUSE_MICROS = 1000;

    /** The recording: stacks, strings, settings, annotations. */
    final SnapshotColumns columns;
    /** The device whose events these are. */
    final int device;
    /** One repetition. */
    final List<Step> steps;
    /** The number of recorded steps; the rest is the end that was added. */
    final int recorded;

    private RepeatableEvents(SnapshotColumns columns, int device, List<Step> steps, int recorded) {
        this.columns = columns;
        this.device = device;
        this.steps = steps;
        this.recorded = recorded;
    }

    /** Microseconds from one repetition to the next. */
    long period() {
        return steps.getLast().timeMicros() - steps.getFirst().timeMicros() + PAUSE_MICROS;
    }

    /** Makes a loop of a recording; throws {@link IllegalArgumentException} where it cannot be repeated. */
    static RepeatableEvents of(SnapshotColumns columns) {
        List<Trace> traces =
                columns.traces.stream().filter(trace -> trace.count() > 0).toList();
        if (traces.size() != 1 || traces.getFirst().device() < 0) {
            throw new IllegalArgumentException("expected a recording with the events of one device");
        }
        return new Builder(columns, traces.getFirst()).build();
    }

    private static final class Builder {
        private final SnapshotColumns columns;
        private final Trace trace;
        private final List<Step> steps = new ArrayList<>();
        private final Memory memory = new Memory(steps);
        /** The stack of the last free: where the program gives up what it holds to the end. */
        private int where = StackTable.NONE;

        Builder(SnapshotColumns columns, Trace trace) {
            this.columns = columns;
            this.trace = trace;
        }

        RepeatableEvents build() {
            for (int row = trace.first(); row < trace.first() + trace.count(); row++) {
                add(Step.recorded(columns, row, framesOf(row)));
            }
            int recorded = steps.size();
            freeAll();
            return new RepeatableEvents(columns, trace.device(), List.copyOf(steps), recorded);
        }

        private void add(Step step) {
            steps.add(step);
            memory.take(steps.size() - 1);
            where = step.action() == Action.FREE_COMPLETED ? step.stack() : where;
        }

        /**
         * The step with which an event shares its list of frames. PyTorch captures a stack once for an allocation and the segment
         * that it needed, and once for both events of a free.
         */
        private int framesOf(int row) {
            int step = steps.size();
            Action action = columns.events.action(row);
            int before = step - 1;
            if (action == Action.FREE_COMPLETED) {
                before = memory.pending.getOrDefault(columns.events.address(row), -1);
            } else if (action != Action.ALLOC || before < 0 || steps.get(before).action() != Action.SEGMENT_ALLOC) {
                return step;
            }
            boolean isSame = before >= 0 && steps.get(before).stack() == columns.events.stack(row);
            return isSame ? steps.get(before).frames() : step;
        }

        private void freeAll() {
            Map<Long, Integer> requested = new HashMap<>(memory.pending);
            for (int allocation : List.copyOf(memory.live.values())) {
                Step born = steps.get(allocation);
                if (!requested.containsKey(born.address())) {
                    requested.put(born.address(), steps.size());
                    undo(born, Action.FREE_REQUESTED, steps.size());
                }
                undo(born, Action.FREE_COMPLETED, requested.get(born.address()));
            }
            for (int segment : List.copyOf(memory.segments.values())) {
                undo(steps.get(segment), Action.SEGMENT_FREE, steps.size());
            }
        }

        private void undo(Step made, Action undoing, int frames) {
            int stack = frames < steps.size() ? steps.get(frames).stack() : where;
            add(made.undo(undoing, steps.getLast().timeMicros() + 1, stack, frames));
        }
    }
}
