package dev.leakline.benchmarks;

import dev.leakline.columns.AnnotationColumns;
import dev.leakline.testkit.pickle.Handle;
import dev.leakline.testkit.pickle.ValueStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes a snapshot of any number of events by repeating a loop, as torch 2.14 would have written it. Takes the memory of one
 * repetition. The last repetition stops where the number of events is reached, and the final state is what was held just then.
 */
final class RepeatedSnapshot {
    private final RepeatableEvents loop;
    private final ValueStream out;
    private final Frames frames;

    RepeatedSnapshot(RepeatableEvents loop, ValueStream out) {
        this.loop = loop;
        this.out = out;
        this.frames = new Frames(loop.columns, out);
    }

    /** Writes a snapshot of so many events, at least one. */
    void write(long events) throws IOException {
        long whole = (events - 1) / loop.steps.size();
        int rest = (int) (events - whole * loop.steps.size());
        Handle[] lists = lists();
        out.beginDict(6);
        out.key("segments");
        new FinalState(loop, Memory.after(loop.steps, rest), lists, frames, out).write();
        out.key("device_traces");
        writeTraces(whole, rest, lists);
        out.key("allocator_settings");
        out.value(loop.columns.settings);
        out.key("external_annotations");
        writeAnnotations(whole, rest);
        writeEmpty("host_segments");
        writeEmpty("host_traces");
        out.endDict();
    }

    /** One list of frames a step; the steps that share another's do not use theirs. */
    private Handle[] lists() {
        return IntStream.range(0, loop.steps.size()).mapToObj(_ -> new Handle()).toArray(Handle[]::new);
    }

    private void writeTraces(long whole, int rest, Handle[] lastLists) throws IOException {
        out.beginList(loop.device + 1);
        for (int other = 0; other < loop.device; other++) {
            out.beginList(0);
            out.endList();
        }
        out.beginList(Math.toIntExact(whole * loop.steps.size() + rest));
        for (long repetition = 0; repetition < whole; repetition++) {
            writeEvents(repetition, loop.steps.size(), lists());
        }
        writeEvents(whole, rest, lastLists);
        out.endList();
        out.endList();
    }

    private void writeEvents(long repetition, int count, Handle[] lists) throws IOException {
        long shift = repetition * loop.period();
        for (Step step : loop.steps.subList(0, count)) {
            writeEvent(step, shift, lists[step.frames()]);
        }
    }

    private void writeEvent(Step step, long shift, Handle list) throws IOException {
        out.beginDict(9);
        out.key("action");
        out.symbol(step.action().key());
        number("addr", step.address());
        number("size", step.size());
        number("stream", step.stream());
        number("time_us", step.timeMicros() + shift);
        out.key("compile_context");
        out.text(step.compileContext());
        out.key("user_metadata");
        out.text(step.metadata());
        out.key("pool_id");
        FinalState.pool(out, step.pool());
        out.key("frames");
        frames.write(step.stack(), list);
        out.endDict();
    }

    private void writeAnnotations(long whole, int rest) throws IOException {
        List<Step> steps = loop.steps;
        out.beginList();
        for (long repetition = 0; repetition < whole; repetition++) {
            writeAnnotations(repetition, steps.getLast().timeMicros());
        }
        writeAnnotations(whole, steps.get(rest - 1).timeMicros());
        out.endList();
    }

    private void writeAnnotations(long repetition, long until) throws IOException {
        AnnotationColumns marks = loop.columns.annotations;
        for (int mark = 0; mark < marks.size(); mark++) {
            if (marks.timeMicros(mark) <= until) {
                writeAnnotation(mark, repetition * loop.period());
            }
        }
    }

    private void writeAnnotation(int mark, long shift) throws IOException {
        AnnotationColumns marks = loop.columns.annotations;
        out.beginDict(4);
        out.key("stage");
        out.text(marks.isStart(mark) ? "START" : "END");
        out.key("name");
        out.text(loop.columns.strings.get(marks.name(mark)));
        number("device", marks.device(mark));
        number("time_us", marks.timeMicros(mark) + shift);
        out.endDict();
    }

    private void writeEmpty(String key) throws IOException {
        out.key(key);
        out.beginList(0);
        out.endList();
    }

    private void number(String key, long value) throws IOException {
        out.key(key);
        out.number(value);
    }
}
