package dev.leakline.functions;

import com.carrotsearch.hppc.DoubleArrayList;
import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.primitive.Bisection;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The calls on one device in the order of time: what was allocated before and after each, and who moved it in between.
 *
 * <p>A profiler writes a call when it ends, and calls may lie within others; which do is told by their times. What a call adds is its own:
 * less what the calls directly within it add. And what changes while no call is under way is added between calls, by code that nobody
 * profiled; it goes by the function whose call was the last before. So all moves together are what changed from the first sample to the
 * last, and nothing counts twice. Calls that overlap, as those of two threads do, stand one after the other in the order in which they
 * began; clocks that cannot tell calls apart leave them in the order of the file.
 */
final class CallTimeline {
    /** Times are rounded to microseconds, each call's in its own way: seconds by which a call may seem to end after the one around it. */
    private static final double TICK = 2e-6;

    /** A part of the program that moves memory: the calls of a function, or the code between them and the next call. */
    record Part(String function, boolean isBetween) implements Comparable<Part> {
        @Override
        public int compareTo(Part other) {
            int order = function.compareTo(other.function);
            return order == 0 ? Boolean.compare(isBetween, other.isBetween) : order;
        }

        /** Its name in a sentence. */
        String name() {
            return (isBetween ? "code after calls of " : "") + FunctionNames.quoted(function);
        }

        Site site() {
            return new Site(isBetween ? Site.Kind.BETWEEN_CALLS : Site.Kind.FUNCTION, new Frame("", 0, function));
        }
    }

    /** A call that is under way, and what the calls within it have added so far. */
    private static final class Open {
        private final ProfiledCall call;
        private long within;

        private Open(ProfiledCall call) {
            this.call = call;
        }
    }

    private final List<ProfiledCall> calls;
    private final LongArrayList levels = new LongArrayList();
    private final DoubleArrayList times = new DoubleArrayList();
    /** For each sample, how many calls that lie within no other had ended. */
    private final IntArrayList ended = new IntArrayList();

    private final Map<String, IntArrayList> starts = new LinkedHashMap<>();
    private final List<String> order = new ArrayList<>();
    private final List<Part> movers = new ArrayList<>();
    private final IntArrayList moments = new IntArrayList();
    private final LongArrayList moves = new LongArrayList();
    private final Map<Part, Part> parts = new HashMap<>();

    /** The timeline of calls that are {@link #inOrder}. */
    CallTimeline(List<ProfiledCall> calls) {
        this.calls = calls;
        build();
    }

    /** Calls in the order in which they began, those that contain others before them. */
    static List<ProfiledCall> inOrder(List<ProfiledCall> calls) {
        return calls.stream()
                .sorted(Comparator.comparingDouble(
                                (ProfiledCall call) -> call.before().time())
                        .thenComparingDouble(call -> -call.after().time()))
                .toList();
    }

    private void build() {
        Deque<Open> open = new ArrayDeque<>();
        for (ProfiledCall call : calls) {
            while (!open.isEmpty() && !isWithin(call, open.peek().call)) {
                end(open);
            }
            if (open.isEmpty() && !levels.isEmpty()) {
                long change = call.before().allocated() - levels.get(levels.size() - 1);
                move(new Part(order.getLast(), true), levels.size(), change);
            }
            starts.computeIfAbsent(call.function(), _ -> new IntArrayList()).add(levels.size());
            sample(call.before());
            open.push(new Open(call));
        }
        while (!open.isEmpty()) {
            end(open);
        }
    }

    /** Returns whether a call lies within another that began no later; of two with the same times neither does. */
    private static boolean isWithin(ProfiledCall inner, ProfiledCall outer) {
        double start = inner.before().time();
        double end = inner.after().time();
        boolean isSame = start == outer.before().time() && end == outer.after().time();
        return !isSame && start < outer.after().time() && end <= outer.after().time() + TICK;
    }

    private void end(Deque<Open> open) {
        Open ended = open.pop();
        long change = ended.call.difference();
        sample(ended.call.after());
        move(new Part(ended.call.function(), false), levels.size() - 1, change - ended.within);
        if (open.isEmpty()) {
            order.add(ended.call.function());
        } else {
            open.peek().within += change;
        }
    }

    private void sample(ProfiledCall.Sample sample) {
        levels.add(sample.allocated());
        times.add(sample.time());
        ended.add(order.size());
    }

    private void move(Part part, int moment, long bytes) {
        movers.add(parts.computeIfAbsent(part, same -> same));
        moments.add(moment);
        moves.add(bytes);
    }

    /** The calls by the times when they began. */
    List<ProfiledCall> calls() {
        return calls;
    }

    /** The function of the last call that lies within no other. */
    String lastFunction() {
        return order.getLast();
    }

    /** For each function, the numbers of the samples with which its calls begin. */
    Map<String, IntArrayList> starts() {
        return starts;
    }

    /** How many samples there are. */
    int size() {
        return levels.size();
    }

    /** Allocated bytes at a sample. */
    long level(int sample) {
        return levels.get(sample);
    }

    /** When a sample was taken, in Unix seconds. */
    double time(int sample) {
        return times.get(sample);
    }

    /** The function of the last call that had ended at a sample and lay within no other; empty where none had. */
    String functionBefore(int sample) {
        return ended.get(sample) == 0 ? "" : order.get(ended.get(sample) - 1);
    }

    /** The bytes that each part added from one sample to another. */
    Map<Part, Long> moved(int from, int to) {
        Map<Part, Long> moved = new LinkedHashMap<>();
        for (int i = firstAfter(from); i < moves.size() && moments.get(i) <= to; i++) {
            moved.merge(movers.get(i), moves.get(i), Long::sum);
        }
        return moved;
    }

    /** The first move that ends after a sample. */
    private int firstAfter(int sample) {
        return Bisection.first(moves.size(), move -> moments.get(move) > sample);
    }
}
