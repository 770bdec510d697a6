package dev.leakline.series;

import dev.leakline.known.AllocatorAdvice;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import java.util.List;

/** What to do about a figure that grows: mostly, what to record next. */
final class CurveAdvice {
    private CurveAdvice() {}

    /** The best first. */
    static List<Advice> of(Kind kind, JudgedCurve figure, long grown) {
        return switch (kind) {
            case FRAGMENTATION ->
                List.of(AllocatorAdvice.expandable(grown), record("which lines the holes lie around"));
            case RESIDUAL -> residual(figure);
            default ->
                figure.layer() == Layer.TENSORS
                        ? List.of(record("the line whose memory stays"), launch())
                        : List.of(record("the line whose memory stays"), launch(), split());
        };
    }

    /** What failed and why, a snapshot of that moment tells. */
    static Advice explainFailure() {
        return advice(
                "Give leakline oom the job's log, or dump a snapshot when a request fails",
                "The message says what was requested and what was free; a snapshot says which lines held the rest.");
    }

    private static List<Advice> residual(JudgedCurve figure) {
        Advice byProcess = advice(
                "Sample each process by itself: nvidia-smi --query-compute-apps=timestamp,pid,used_memory --format=csv -l 1",
                "Other processes on the device are then told from this one.");
        Advice byCall = advice(
                "Record the driver's calls for a few steps: nsys profile --cuda-memory-usage=true",
                "It names the calls of cudaMalloc that are not PyTorch's, such as those of NCCL, which no snapshot has.");
        return figure.layer() == Layer.DEVICE ? List.of(byProcess, byCall) : List.of(byCall);
    }

    private static Advice record(String what) {
        return advice(
                "Record fifty steps with " + RecordingAdvice.CALL
                        + ", then torch.cuda.memory._dump_snapshot(\"steps.pickle\")",
                "A snapshot names " + what + ".");
    }

    private static Advice launch() {
        return advice("Or start the job with leakline run -- python ...", "The same without a change to the program.");
    }

    private static Advice split() {
        return advice(
                "Print torch.cuda.memory_allocated() and torch.cuda.memory_reserved() at the end of each step",
                "They tell whether tensors grow, or the allocator's cache, or something beside it.");
    }

    private static Advice advice(String action, String why) {
        return Advice.of(action, why, 0);
    }
}
