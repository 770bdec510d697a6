package dev.leakline.allocator;

import dev.leakline.allocator.AllocatorStats.Share;
import dev.leakline.primitive.IntColumn;
import java.util.stream.IntStream;

/**
 * The requests of a program to the allocator of one device, in order: a recording without everything that the allocator decided by itself.
 * To replay it under other settings is to ask the same again. Made by {@link WorkloadBuilder}; read-only, any number of threads.
 */
final class Workload {
    /** The kinds of operations. */
    enum Operation {
        /** Memory; the subject is the allocation that comes of it. */
        ALLOCATE,
        /** Frees a subject, and its memory is free at once. */
        FREE,
        /** Frees a subject that other streams still use. */
        FREE_LATER,
        /** The streams are done with a subject. */
        COMPLETE,
        /** To give back what is cached; no subject. */
        EMPTY_CACHE,
        /**
         * To give back what is cached, if the request that comes next could be met from it: then nobody but the program can have
         * emptied it. Else it was the allocator, which needs no telling.
         */
        MAYBE_EMPTY_CACHE,
        /** Memory that was refused when it was recorded; the subject is what comes of it where it is not. */
        FAIL;

        private static final Operation[] VALUES = values();

        private boolean isRequest() {
            return this == ALLOCATE || this == FAIL;
        }

        @SuppressWarnings("EnumOrdinal") // columns live no longer than the process
        private int code() {
            return ordinal();
        }
    }

    private static final int OPERATION_BITS = 3;
    private static final int OPERATION = (1 << OPERATION_BITS) - 1;
    private static final int SMALL = 1 << OPERATION_BITS;
    private static final int LARGE = SMALL << 1;
    private static final int BOTH = SMALL | LARGE;
    private static final int BITS = OPERATION_BITS + 2;

    private final AllocatorSettings settings;
    private final StartState start;
    private final ReservedHistory history;
    private final Requests requests = new Requests();
    private final Subjects subjects = new Subjects();
    /** Subject, the halves of the pools that it is about, and operation. */
    private final IntColumn asked = new IntColumn();
    /** The event that shows it. */
    private final IntColumn at = new IntColumn();

    /** A workload without operations of a program that ran under some settings, from a state on. */
    Workload(AllocatorSettings settings, StartState start, ReservedHistory history) {
        this.settings = settings;
        this.start = start;
        this.history = history;
    }

    /** Adds an allocation that was there before the first operation; the subjects of these are numbered from 0 up. */
    int begin(boolean isLarge) {
        return subjects.take(Requests.older(isLarge));
    }

    /** Adds a request and answers its subject. */
    int request(Operation operation, long bytes, long stream, int pool, int event) {
        int subject = subjects.take(requests.of(bytes, stream, pool));
        add(operation, subject, event);
        return subject;
    }

    /** Adds the end of a subject, which is free for others then. */
    void free(Operation operation, int subject, int event) {
        add(operation, subject, event);
        subjects.release(subject);
    }

    /** Adds an operation on a subject. */
    void add(Operation operation, int subject, int event) {
        int half = requests.isLarge(request(subject)) ? LARGE : SMALL;
        asked.add(subject << BITS | half | operation.code());
        at.add(event);
    }

    /** Adds an operation without a subject. */
    void add(Operation operation, int event) {
        asked.add(BOTH | operation.code());
        at.add(event);
    }

    /** Says that the program did empty the cache where that was in doubt; not while others read. */
    void settle(int index) {
        asked.set(index, BOTH | Operation.EMPTY_CACHE.code());
    }

    /** Operations. */
    int size() {
        return at.size();
    }

    Operation operation(int index) {
        return Operation.VALUES[asked.get(index) & OPERATION];
    }

    /** The allocation that it is about, a number of the {@link Subjects}. */
    int subject(int index) {
        return asked.get(index) >>> BITS;
    }

    /** The event that shows it. */
    int event(int index) {
        return at.get(index);
    }

    /** The number of a subject's request. */
    int request(int subject) {
        return subjects.request(subject);
    }

    /** The first request from an operation on, or {@link #size()}. */
    int nextRequest(int index) {
        int next = index;
        while (next < size() && !operation(next).isRequest()) {
            next++;
        }
        return next;
    }

    /** Returns whether an operation is about the large half of a pool, or the small one. */
    boolean isAbout(boolean isLarge, int index) {
        return (asked.get(index) & (isLarge ? LARGE : SMALL)) != 0;
    }

    /** The distinct requests, by number. */
    Requests requests() {
        return requests;
    }

    /** The sizes that are requested of a share of the pools, each once, the largest last. */
    long[] sizes(Share share) {
        return IntStream.range(Requests.first(), requests.size())
                .filter(request -> share == Share.ALL || requests.isLarge(request) == (share == Share.LARGE_POOL))
                .mapToLong(requests::bytes)
                .sorted()
                .distinct()
                .toArray();
    }

    /** Subjects. */
    int subjects() {
        return subjects.size();
    }

    /** The settings that the program ran under. */
    AllocatorSettings settings() {
        return settings;
    }

    /** Reserved memory over time. */
    ReservedHistory history() {
        return history;
    }

    /** The state before the first operation. */
    StartState start() {
        return start;
    }
}
