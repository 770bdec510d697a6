package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.Mapping;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Finds the processes of a job: a parent, such as a server, and the workers that it has started. */
public final class ProcessTree {
    private static final String TORCH = "libtorch_python.so";

    private ProcessTree() {}

    /**
     * Returns the process and all below it that have loaded PyTorch, parents first.
     *
     * @throws LiveException where there is no such process, or none with PyTorch
     */
    public static List<Integer> withTorch(int pid) throws IOException {
        ProcessHandle top = ProcessHandle.of(pid).orElseThrow(() -> LiveException.gone(pid));
        List<Integer> found = Stream.concat(Stream.of(top), top.descendants())
                .map(process -> Math.toIntExact(process.pid()))
                .filter(ProcessTree::hasTorch)
                .toList();
        if (found.isEmpty()) {
            throw new LiveException(
                    "neither process " + pid + " nor one below it has loaded PyTorch, as far as this user may see",
                    "leakline ps lists the processes that use a GPU");
        }
        return found;
    }

    private static boolean hasTorch(int pid) {
        try {
            return Mapping.of(pid).stream()
                    .anyMatch(mapping -> mapping.fileName().equals(TORCH));
        } catch (IOException e) {
            return false; // it has ended, or is another user's
        }
    }
}
