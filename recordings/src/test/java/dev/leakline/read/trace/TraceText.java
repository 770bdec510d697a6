package dev.leakline.read.trace;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A profiler's trace that a test makes up, event by event, as Kineto writes them. Times are microseconds. */
final class TraceText {
    private final List<String> events = new ArrayList<>();
    private String before = "\"schemaVersion\": 1,";
    private String after = "";
    private long allocated;
    private boolean hasSums = true;
    private boolean hasAddresses = true;

    /** What is allocated before the first event. */
    TraceText startingWith(long bytes) {
        allocated = bytes;
        return this;
    }

    /** As Kineto wrote them in 2021. */
    TraceText withoutAddressesAndSums() {
        hasSums = false;
        hasAddresses = false;
        return this;
    }

    /** Something at the top level, before or after the events. */
    TraceText with(String property, boolean isBefore) {
        if (isBefore) {
            before += property + ",";
        } else {
            after += "," + property;
        }
        return this;
    }

    /** A call of Python, in thread 7 of process 70. */
    TraceText call(double from, double to, String name) {
        return range("python_function", 7, from, to, name, "");
    }

    TraceText operator(int thread, double from, double to, String name) {
        return range("cpu_op", thread, from, to, name, "");
    }

    /** An operator of the forward pass, or what a backward pass does for it. */
    TraceText operator(int thread, double from, double to, String name, int sequence, int forwardThread) {
        return range(
                "cpu_op",
                thread,
                from,
                to,
                name,
                "\"Sequence number\": " + sequence + ", \"Fwd thread id\": " + forwardThread);
    }

    TraceText mark(double from, double to, String name) {
        return range("user_annotation", 7, from, to, name, "");
    }

    TraceText range(String category, int thread, double from, double to, String name, String args) {
        return raw(String.format(
                Locale.ROOT,
                "{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": 70, \"tid\": %d, \"ts\": %s, \"dur\": %s, \"args\": {%s}}",
                category,
                name,
                thread,
                number(from),
                number(to - from),
                args));
    }

    TraceText alloc(double at, long address, long bytes) {
        return memory(7, at, address, bytes, 1, 0);
    }

    TraceText free(double at, long address, long bytes) {
        return memory(7, at, address, -bytes, 1, 0);
    }

    TraceText memory(int thread, double at, long address, long bytes, int deviceType, int device) {
        allocated += bytes;
        String sums = hasSums ? ", \"Total Allocated\": " + allocated + ", \"Total Reserved\": " + 2 * allocated : "";
        String place = hasAddresses ? ", \"Addr\": " + address : "";
        return raw(String.format(
                Locale.ROOT,
                "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\", \"pid\": 70, \"tid\": %d, \"ts\": %s, "
                        + "\"args\": {\"Device Type\": %d, \"Device Id\": %d, \"Bytes\": %d%s%s}}",
                thread,
                number(at),
                deviceType,
                device,
                bytes,
                place,
                sums));
    }

    /** What another thread does, which shows in the sums alone. */
    TraceText unseen(long bytes) {
        allocated += bytes;
        return this;
    }

    TraceText raw(String event) {
        events.add(event);
        return this;
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    /** The whole trace. */
    byte[] bytes() {
        return ("{" + before + "\"traceEvents\": " + list() + after + "}").getBytes(StandardCharsets.UTF_8);
    }

    /** The events alone. */
    String list() {
        return "[" + String.join(",\n", events) + "]";
    }
}
