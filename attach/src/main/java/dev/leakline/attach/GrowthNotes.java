package dev.leakline.attach;

import dev.leakline.attach.linux.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Follows the notes of a job's processes while it runs, in a thread of its own, and tells of each growth that they note. */
final class GrowthNotes implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final Path folder;
    private final Consumer<SeenGrowth> listener;
    /** How many lines of each file were told. */
    private final Map<Path, Integer> told = new HashMap<>();

    private volatile boolean isOver;

    GrowthNotes(Path folder, Consumer<SeenGrowth> listener) {
        this.folder = folder;
        this.listener = listener;
        Thread.ofPlatform().daemon().name("leakline-growth").start(this::follow);
    }

    private void follow() {
        try {
            while (!isOver) {
                look();
                Pause.of(BETWEEN_LOOKS);
            }
        } catch (IOException | RuntimeException e) {
            // The folder is gone, or this program is to end; what it would have told, the report tells.
        }
    }

    private void look() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(ProbedProcess::isNotes).toList()) {
                tell(file, Files.readAllLines(file));
            }
        }
    }

    private void tell(Path file, List<String> lines) {
        List<String> fresh = lines.subList(Math.min(told.getOrDefault(file, 0), lines.size()), lines.size());
        told.put(file, lines.size());
        for (String line : fresh) {
            SeenGrowth.of(line).filter(_ -> !isOver).ifPresent(listener);
        }
    }

    @Override
    public void close() {
        isOver = true;
    }
}
