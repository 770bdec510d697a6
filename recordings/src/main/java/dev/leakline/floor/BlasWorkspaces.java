package dev.leakline.floor;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.site.StackSites;
import dev.leakline.statistics.Thresholds;

/**
 * Separates cuBLAS workspaces that PyTorch allocated at a line from the memory that the line keeps.
 *
 * <p>A workspace is allocated at the first product of matrices of a thread and stream, as if by the line that multiplies, and stays: one
 * block of megabytes, however often the line runs. Counted among what the line keeps it would add to the bytes and blocks of a leak, and
 * move the step from which it grows.
 *
 * <p>C++ frames name it. Where there are none, it is told by its size and its time: it comes when the line is first run in a stream, and
 * never again, whereas a line that leaks tensors of that very size goes on to make them. So the blocks of that size are workspaces if all
 * that a line has of them in a stream came within the line's warm-up and are there after the last step. There may be several, since
 * recordings do not name threads, nor those of a profiler streams. Where one comes late or goes, all of them are the line's own, lest part
 * of a leak be left out; a workspace among them then counts as one tensor too many. That fails where a line keeps something before it first
 * multiplies: what comes after the warm-up stays part of the leak.
 *
 * <p>Nothing is acquitted by that: workspaces make a group of their own, and one that grows, as where each step brings a new stream, is a leak.
 */
final class BlasWorkspaces {
    private final Survivors survivors;
    private final StackSites stacks;
    private final int steps;

    BlasWorkspaces(Survivors survivors, StackSites stacks, int steps) {
        this.survivors = survivors;
        this.stacks = stacks;
        this.steps = steps;
    }

    /** The survivors of a line that are workspaces. */
    IntArrayList among(IntArrayList line) {
        SeededLongSet others = streamsOfTensors(line);
        IntArrayList workspaces = new IntArrayList();
        for (int i = 0; i < line.size(); i++) {
            int survivor = line.get(i);
            if (isNamed(survivor) || (hasSize(survivor) && !others.contains(survivors.stream(survivor)))) {
                workspaces.add(survivor);
            }
        }
        return workspaces;
    }

    /** The streams in which a line keeps tensors of the size of a workspace. */
    private SeededLongSet streamsOfTensors(IntArrayList line) {
        SeededLongIntMap ends = endsOfWarmUp(line);
        SeededLongSet streams = new SeededLongSet();
        for (int i = 0; i < line.size(); i++) {
            int survivor = line.get(i);
            long stream = survivors.stream(survivor);
            boolean isLate = survivors.first(survivor) > ends.get(stream);
            if (hasSize(survivor) && !isNamed(survivor) && (isLate || survivors.end(survivor) < steps)) {
                streams.add(stream);
            }
        }
        return streams;
    }

    /** The last step of a line's warm-up, by stream; warm-up begins with the first block that the line keeps there. */
    private SeededLongIntMap endsOfWarmUp(IntArrayList line) {
        SeededLongIntMap ends = new SeededLongIntMap();
        for (int i = 0; i < line.size(); i++) {
            int end = survivors.first(line.get(i)) + (int) (Thresholds.WARM_UP_SHARE * steps);
            long stream = survivors.stream(line.get(i));
            ends.put(stream, Math.min(end, ends.getOrDefault(stream, end)));
        }
        return ends;
    }

    private boolean hasSize(int survivor) {
        return BlasWorkspace.is(survivors.requested(survivor));
    }

    private boolean isNamed(int survivor) {
        return stacks.of(survivors.stack(survivor)).isForBlas();
    }
}
