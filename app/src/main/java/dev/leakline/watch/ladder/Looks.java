package dev.leakline.watch.ladder;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.result.AnalysisResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks into a process, each dearer to it than the one before. All leave it as it was, and say what they wrote. */
public interface Looks {
    /**
     * The memory of PyTorch's allocator, without its history.
     *
     * @param allocated bytes of tensors
     * @param reserved bytes from the driver
     */
    record Light(long allocated, long reserved, List<Path> files) {}

    /** The growth between two dumps of who holds each tensor, without a title where nothing grew; with looks at the host's memory in that time. */
    record Held(@Nullable String title, List<Path> files) {}

    /** The result of a record of allocations. */
    record Recorded(AnalysisResult result, List<Path> files) {}

    Light light(int pid) throws IOException;

    Held holders(int pid) throws IOException;

    /** Records for a while. */
    Recorded history(int pid, Duration length) throws IOException;

    /** The result of what looks wrote. */
    static AnalysisResult judged(List<Path> files) throws IOException {
        List<Input> inputs = new ArrayList<>();
        for (Path file : files) {
            inputs.add(Input.open(InputSource.of(file), Demand.EVIDENCE));
        }
        return Analysis.run(inputs, Analysis.Options.ALL);
    }
}
