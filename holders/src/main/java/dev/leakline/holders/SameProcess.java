package dev.leakline.holders;

import dev.leakline.hash.SeededLongLongMap;
import dev.leakline.objects.NamedStorages;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.StorageColumns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Tests whether dumps are of the same process. Ranks that run in containers of their own may have the same number, and a probe that enters
 * a process twice says twice that it has just begun; but storages that are at the same place under the same key are the same.
 */
public final class SameProcess {
    /** The least share of the smaller dump that stays, weights to begin with; of another process nothing does. */
    private static final double MOST = 0.5;
    /** A dump with less than this share of what the fullest one has is of the time after; caches and batches that go take less with them. */
    private static final double GONE = 0.5;

    private SameProcess() {}

    /** The dumps by process, each process's oldest first; processes in the order of their first dump. */
    public static List<List<ObjectGraph>> group(List<ObjectGraph> dumps) {
        List<List<ObjectGraph>> processes = new ArrayList<>();
        for (ObjectGraph dump : dumps) {
            List<ObjectGraph> own = processes.stream()
                    .filter(process -> isSame(process.getFirst(), dump))
                    .findFirst()
                    .orElseGet(() -> {
                        processes.add(new ArrayList<>());
                        return processes.getLast();
                    });
            own.add(dump);
        }
        processes.forEach(process -> process.sort(byTime()));
        return processes;
    }

    /**
     * How many of a process's dumps, oldest first, tell who holds what: those up to the last that was made before most was freed. So it is at the
     * exit, when functions have returned. Dumps of several processes all do.
     */
    public static int telling(List<ObjectGraph> dumps) {
        long most = dumps.stream()
                .mapToLong(dump -> dump.storages.totalBytes())
                .max()
                .orElse(0);
        int count = dumps.size();
        while (count > 1
                && (isLate(dumps.get(count - 1), most) || isAfterwards(dumps.subList(0, count)))
                && isSame(dumps.getFirst(), dumps.get(count - 1))) {
            count--;
        }
        return count;
    }

    /** Returns whether the last dump was made at the exit, and one before when functions still ran, of no less than half of that or with names that are lost since. */
    private static boolean isAfterwards(List<ObjectGraph> dumps) {
        ObjectGraph last = dumps.getLast();
        ObjectGraph before = dumps.get(dumps.size() - 2);
        return isOver(last)
                && hasRunning(before)
                && (before.storages.totalBytes() >= GONE * last.storages.totalBytes()
                        || new NamedStorages(before).areLostIn(new NamedStorages(last)));
    }

    /** Returns whether a dump was made at the exit, when the program's functions had returned. */
    static boolean isOver(ObjectGraph dump) {
        return dump.header.reason().equals("exit") && !hasRunning(dump);
    }

    private static boolean hasRunning(ObjectGraph dump) {
        for (int vertex = 0; vertex < dump.nodes.size(); vertex++) {
            if (dump.kind(vertex) == NodeKind.RUNNING_FRAME) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLate(ObjectGraph dump, long most) {
        return dump.storages.totalBytes() < GONE * most;
    }

    /** The order in which dumps were made. */
    static Comparator<ObjectGraph> byTime() {
        return Comparator.comparingLong(dump -> dump.header.timeMicros());
    }

    /** Returns whether two dumps are of the same process. */
    static boolean isSame(ObjectGraph one, ObjectGraph other) {
        boolean isNumber = one.header.pid() == other.header.pid();
        boolean isStart = one.header.startedMicros() == other.header.startedMicros();
        return isNumber && (isStart || common(one.storages, other.storages) >= MOST);
    }

    /** The share of the storages of the smaller dump that the other has as well. */
    private static double common(StorageColumns one, StorageColumns other) {
        StorageColumns smaller = one.size() <= other.size() ? one : other;
        StorageColumns larger = one.size() <= other.size() ? other : one;
        SeededLongLongMap addresses = new SeededLongLongMap();
        for (int storage = 0; storage < larger.size(); storage++) {
            addresses.put(larger.key(storage), larger.address(storage));
        }
        int common = 0;
        for (int storage = 0; storage < smaller.size(); storage++) {
            boolean isThere = addresses.containsKey(smaller.key(storage));
            common += isThere && addresses.get(smaller.key(storage)) == smaller.address(storage) ? 1 : 0;
        }
        return smaller.size() == 0 ? 0 : (double) common / smaller.size();
    }
}
