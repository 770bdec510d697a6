package dev.leakline.fleet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Packs files into batches, and those of a batch into tasks. The largest files come first, each in a task of its own, since whatever begins
 * last ends last; small ones share a task, as starting one costs as much as reading a megabyte.
 */
final class TaskPacking {
    /** The largest first; files of one size in the order of their paths, so that it does not matter in which they were listed. */
    private static final Comparator<FleetFile> ORDER =
            Comparator.comparingLong(FleetFile::weight).reversed().thenComparing(FleetFile::path);
    /** Tasks per core: with fewer, cores wait for the last one; with more, starting them costs. */
    private static final int TASKS_OF_CORE = 8;

    private TaskPacking() {}

    /** Files in batches of so many, each with files of all sizes. */
    static List<List<FleetFile>> batches(List<FleetFile> files, int most) {
        int count = Math.ceilDiv(files.size(), most);
        List<List<FleetFile>> batches = new ArrayList<>();
        for (int batch = 0; batch < count; batch++) {
            batches.add(new ArrayList<>());
        }
        List<FleetFile> ordered = files.stream().sorted(ORDER).toList();
        for (int i = 0; i < ordered.size(); i++) {
            batches.get(i % count).add(ordered.get(i));
        }
        return batches;
    }

    /** The files of each task, the heaviest tasks first. */
    static List<List<FleetFile>> tasks(List<FleetFile> batch, int cores) {
        long total = batch.stream().mapToLong(FleetFile::weight).sum();
        long most = Math.max(total / ((long) cores * TASKS_OF_CORE), 1);
        List<List<FleetFile>> tasks = new ArrayList<>();
        long filled = most;
        for (FleetFile file : batch.stream().sorted(ORDER).toList()) {
            if (filled + file.weight() > most) {
                tasks.add(new ArrayList<>());
                filled = 0;
            }
            tasks.getLast().add(file);
            filled += file.weight();
        }
        return tasks;
    }
}
