package dev.leakline.known;

/** The frame through which Python's event loops run a task's next part. Source: {@code asyncio/events.py}, {@code Handle._run}. */
public final class EventLoopFrame {
    private EventLoopFrame() {}

    /** Whether a frame runs a task. */
    public static boolean is(String file, String function) {
        return function.equals("_run") && file.replace('\\', '/').endsWith("asyncio/events.py");
    }
}
