package dev.leakline.read.trace;

import org.jspecify.annotations.Nullable;

/** One event of a trace while it is read: what of it may matter. Filled anew for each. */
final class TraceEvent {
    /** Categories of events. */
    enum Category {
        /** Not said, or not yet. */
        UNKNOWN,
        /** A call of a Python function, or of a module. */
        FUNCTION,
        /** An operator; in traces up to torch 1.12 marked ranges as well. */
        OPERATOR,
        /** A range that the program or PyTorch marked. */
        RANGE,
        /** Something that happened at one moment. */
        INSTANT,
        /** Kernels, copies, calls of the driver, arrows between them. */
        OTHER;

        static Category of(String name) {
            return switch (name) {
                case "python_function" -> FUNCTION;
                case "cpu_op", "Operator" -> OPERATOR;
                case "user_annotation" -> RANGE;
                case "cpu_instant_event" -> INSTANT;
                default -> OTHER;
            };
        }
    }

    /** A number that the event does not give. */
    static final long NONE = Long.MIN_VALUE;

    Category category = Category.UNKNOWN;
    String phase = "";
    String name = "";
    long time;
    long duration;
    long process;
    long thread;
    long bytes;
    long address;
    long allocated;
    long reserved;
    long deviceType;
    long device;
    long sequence;
    long forwardThread;

    @Nullable
    String callStack;

    void clear() {
        category = Category.UNKNOWN;
        phase = "";
        name = "";
        time = NONE;
        duration = NONE;
        process = NONE;
        thread = NONE;
        bytes = NONE;
        address = NONE;
        allocated = NONE;
        reserved = NONE;
        deviceType = NONE;
        device = NONE;
        sequence = NONE;
        forwardThread = NONE;
        callStack = null;
    }

    /** Returns whether it takes time, as calls do. */
    boolean isRange() {
        return phase.equals("X");
    }

    /** Returns whether it happened at one moment. */
    boolean isInstant() {
        return phase.equals("i") || phase.equals("I");
    }

    /** Turns a number that an event does not state into zero. */
    static long orZero(long number) {
        return number == NONE ? 0 : number;
    }
}
