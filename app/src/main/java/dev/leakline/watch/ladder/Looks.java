package dev.leakline.watch.ladder;

import dev.leakline.result.AnalysisResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks into a process, each dearer to it than the one before. All leave it as it was, and say what they wrote. */
public interface Looks {
    /**
     * What PyTorch's allocator holds, without its history.
     *
     * @param allocated bytes of tensors
     * @param reserved bytes from the driver
     */
    record Light(long allocated, long reserved, List<Path> files) {}

    /** What grew between two dumps of who holds each tensor; null where nothing did. */
    record Held(@Nullable String title, List<Path> files) {}

    /** What a record of allocations shows. */
    record Recorded(AnalysisResult result, List<Path> files) {}

    Light light(int pid) throws IOException;

    Held holders(int pid) throws IOException;

    /** Records for a while. */
    Recorded history(int pid, Duration length) throws IOException;
}
