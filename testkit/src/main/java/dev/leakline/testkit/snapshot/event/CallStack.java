package dev.leakline.testkit.snapshot.event;

import java.util.Arrays;
import java.util.List;

/** One captured stack, innermost frame first. Two captures at the same place are two objects, as in PyTorch. */
public final class CallStack {
    private final List<StackFrame> frames;

    public CallStack(List<StackFrame> frames) {
        this.frames = List.copyOf(frames);
    }

    public static List<StackFrame> parse(String... frames) {
        return Arrays.stream(frames).map(StackFrame::parse).toList();
    }

    public List<StackFrame> frames() {
        return frames;
    }
}
