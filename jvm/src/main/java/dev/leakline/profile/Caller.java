package dev.leakline.profile;

import dev.leakline.result.Frame;
import java.lang.StackWalker.StackFrame;
import java.util.List;

/** The code that calls. */
final class Caller {
    /** Frames kept: enough to leave any framework's callbacks behind. */
    private static final int MOST = 64;

    private static final String OURS = Caller.class.getPackageName() + ".";

    private Caller() {}

    /** The frames outside of this package, innermost first. */
    static List<Frame> ofCaller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.dropWhile(Caller::isOurs)
                        .limit(MOST)
                        .map(Caller::frame)
                        .toList());
    }

    private static boolean isOurs(StackFrame frame) {
        return frame.getClassName().startsWith(OURS);
    }

    private static Frame frame(StackFrame frame) {
        String file = frame.getFileName();
        String function = frame.getClassName() + "." + frame.getMethodName();
        return new Frame(file == null ? "" : file, Math.max(frame.getLineNumber(), 0), function);
    }
}
