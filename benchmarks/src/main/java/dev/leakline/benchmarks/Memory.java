package dev.leakline.benchmarks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/** The memory of a device after some steps of a loop. Each thing is known by its address and by the step that made it. */
final class Memory {
    /** The segments, by address. */
    final NavigableMap<Long, Integer> segments = new TreeMap<>();
    /** The allocations, by address. */
    final NavigableMap<Long, Integer> live = new TreeMap<>();
    /** Allocations that the program has freed, with the step that says so. */
    final Map<Long, Integer> pending = new HashMap<>();

    private final List<Step> steps;

    Memory(List<Step> steps) {
        this.steps = steps;
    }

    /** The memory after the first {@code count} steps. */
    static Memory after(List<Step> steps, int count) {
        Memory memory = new Memory(steps);
        for (int step = 0; step < count; step++) {
            memory.take(step);
        }
        return memory;
    }

    /** Takes one more step. */
    void take(int step) {
        Step taken = steps.get(step);
        long address = taken.address();
        switch (taken.action()) {
            case SEGMENT_ALLOC -> segments.put(address, step);
            case SEGMENT_FREE -> require(segments.remove(address) != null, step);
            case ALLOC -> require(isMapped(taken) && live.put(address, step) == null, step);
            case FREE_REQUESTED -> require(live.containsKey(address) && pending.put(address, step) == null, step);
            case FREE_COMPLETED -> require(pending.remove(address) != null && live.remove(address) != null, step);
            default ->
                throw new IllegalArgumentException("cannot repeat a recording with " + taken.action() + " in it");
        }
    }

    /** The allocations in a segment, in address order. */
    List<Step> tenants(Step segment) {
        SortedMap<Long, Integer> within = live.subMap(segment.address(), segment.address() + segment.size());
        return within.values().stream().map(steps::get).toList();
    }

    private boolean isMapped(Step allocation) {
        Map.Entry<Long, Integer> segment = segments.floorEntry(allocation.address());
        return segment != null
                && allocation.address()
                        < segment.getKey() + steps.get(segment.getValue()).size();
    }

    private static void require(boolean isKnown, int step) {
        if (!isKnown) {
            throw new IllegalArgumentException("event " + step
                    + " is about memory that the events before it do not explain; a recording can only be repeated if it is"
                    + " whole and began before the first allocation");
        }
    }
}
