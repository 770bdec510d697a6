package dev.leakline.series;

import dev.leakline.known.AllocatorAdvice;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import java.util.List;

/** Makes the advice for a figure that grows: mostly, what to record next. */
final class CurveAdvice {
    private CurveAdvice() {}

    /** The best first. */
    static List<Advice> of(Kind kind, JudgedCurve figure, long grown) {
        return switch (kind) {
            case FRAGMENTATION ->
                List.of(AllocatorAdvice.expandable(grown), record("which lines' blocks lie around the gaps"));
            case RESIDUAL -> residual(figure);
            default ->
                figure.layer() == Layer.HOST
                        ? List.of(RecordingAdvice.HOST)
                        : figure.layer() == Layer.TENSORS
                                ? List.of(record("the line that leaks"), launch())
                                : List.of(record("the line that leaks"), launch(), split());
        };
    }

    /** Advises a snapshot of the moment of a failure, which shows what failed and why. */
    static Advice explainFailure() {
        return advice(
                "Run leakline oom on the job's log, or dump a snapshot when a request fails",
                "The message gives the requested and the free memory; a snapshot shows which lines held the rest.");
    }

    private static List<Advice> residual(JudgedCurve figure) {
        Advice byProcess = advice(
                "Sample each process separately: nvidia-smi --query-compute-apps=timestamp,pid,used_memory --format=csv -l 1",
                "This separates other processes on the device from this one.");
        Advice byCall = advice(
                "Record the driver's calls for a few steps: nsys profile --cuda-memory-usage=true",
                "It shows the cudaMalloc calls from outside PyTorch, such as NCCL's, which no snapshot contains.");
        return figure.layer() == Layer.DEVICE ? List.of(byProcess, byCall) : List.of(byCall);
    }

    private static Advice record(String what) {
        return advice(
                "Record fifty steps with " + RecordingAdvice.CALL
                        + ", then torch.cuda.memory._dump_snapshot(\"steps.pickle\")",
                "A snapshot names " + what + ".");
    }

    private static Advice launch() {
        return advice(
                "Or start the job with leakline run -- python ...",
                "This records the same without a change to the program.");
    }

    private static Advice split() {
        return advice(
                "Print torch.cuda.memory_allocated() and torch.cuda.memory_reserved() at the end of each step",
                "They show whether tensors, the allocator's cache, or something else grows.");
    }

    private static Advice advice(String action, String why) {
        return Advice.of(action, why, 0);
    }
}
