package dev.leakline.testkit.snapshot;

import java.util.Arrays;
import java.util.List;

/** One captured stack, innermost frame first. Two captures at the same place are two objects, as in PyTorch. */
final class CallStack {
    private final List<StackFrame> frames;

    CallStack(List<StackFrame> frames) {
        this.frames = List.copyOf(frames);
    }

    static List<StackFrame> parse(String... frames) {
        return Arrays.stream(frames).map(StackFrame::parse).toList();
    }

    List<StackFrame> frames() {
        return frames;
    }
}
