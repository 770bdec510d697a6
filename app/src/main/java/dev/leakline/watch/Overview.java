package dev.leakline.watch;

import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is watched, as it stood at one moment. Nothing in it changes, so other threads may read it.
 *
 * @param t the time of the newest sample, in seconds; 0 where there is none
 * @param processes those that run, in the order in which they were first seen; then those that have ended, the last one first
 */
public record Overview(double t, List<Row> processes) {
    /** Before the first sample. */
    public static final Overview EMPTY = new Overview(0, List.of());

    /**
     * A process.
     *
     * @param now how it stands, or how it stood when it ended
     * @param memories GPUs by number, then the host
     * @param pod where it runs, null where it is in none
     */
    public record Row(WatchEvent now, List<ProcessMemory> memories, boolean isEnded, Pods.@Nullable Pod pod) {
        public long pid() {
            return now.pid();
        }

        /** The memory that the verdict is about; where it is about none, the fullest GPU, or the host. */
        public @Nullable ProcessMemory memory() {
            int judged = now.resource() == Resource.HOST ? ProcessMemory.HOST : (int) now.device();
            ProcessMemory found = null;
            for (ProcessMemory memory : memories) {
                if (memory.device() == judged && now.state() != WatchEvent.State.OK) {
                    return memory;
                }
                if (found == null || (!memory.isHost() && memory.used() > found.used())) {
                    found = memory;
                }
            }
            return found;
        }
    }
}
