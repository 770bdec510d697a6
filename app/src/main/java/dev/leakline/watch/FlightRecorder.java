package dev.leakline.watch;

import dev.leakline.attach.PrivateFiles;
import dev.leakline.columns.ProcessSample;
import dev.leakline.read.samples.SampleLines;
import dev.leakline.result.WatchEvent;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Keeps the newest samples of each process in a folder of its own, {@code PID-START}, so that what was before a crash is there after it: a ring of
 * segments, each a file of lines. The oldest is removed when there are too many. A file is only ever appended to, line by line, and what a
 * killed writer has torn is the last line of one that nobody appends to again: a new writer begins a new segment.
 */
public final class FlightRecorder implements WatchListener, Closeable {
    /** A ring loses this part of itself at a time. */
    private static final int SEGMENTS = 8;
    /** Folders of processes that have ended, newest first; who looks for another has it elsewhere. */
    private static final int MOST_ENDED = 64;

    private final Path folder;
    private final long budget;
    private final Consumer<String> trouble;
    private final Map<WatchedProcess, Ring> rings = new HashMap<>();
    private boolean isTold;

    /**
     * Records into a folder, which is made.
     *
     * @param budget bytes of each process
     * @param trouble is told in words, once until it is over, that nothing can be written
     */
    public FlightRecorder(Path folder, long budget, Consumer<String> trouble) throws IOException {
        this.folder = PrivateFiles.folder(folder);
        this.budget = budget;
        this.trouble = trouble;
    }

    @Override
    public void sampled(WatchedProcess process, ProcessSample sample) {
        try {
            rings.computeIfAbsent(process, _ -> new Ring(folder.resolve(name(sample)), budget / SEGMENTS))
                    .add(SampleLines.write(sample) + "\n");
            isTold = false;
        } catch (IOException e) {
            if (!isTold) {
                isTold = true;
                trouble.accept("the flight recorder cannot write: " + e.getMessage() + "; the watch goes on");
            }
        }
    }

    private static String name(ProcessSample sample) {
        return sample.pid() + (sample.started() < 0 ? "" : "-" + sample.started());
    }

    @Override
    public void ended(WatchedProcess process, WatchEvent last) throws IOException {
        Ring ring = rings.remove(process);
        if (ring != null) {
            ring.close();
            removeOld();
        }
    }

    private void removeOld() throws IOException {
        List<Path> used = rings.values().stream().map(ring -> ring.folder).toList();
        List<Path> ended;
        try (Stream<Path> all = Files.list(folder)) {
            ended = all.filter(path -> !used.contains(path))
                    .filter(path -> path.getFileName().toString().matches("\\d+(-\\d+)?"))
                    .sorted(Comparator.comparing(FlightRecorder::changed, Comparator.reverseOrder()))
                    .skip(MOST_ENDED)
                    .toList();
        }
        for (Path old : ended) {
            for (Path file : segments(old)) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(old);
        }
    }

    private static FileTime changed(Path path) {
        try {
            return Files.getLastModifiedTime(path);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    /** The segments of a folder, the oldest first. */
    private static List<Path> segments(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return new ArrayList<>(all.filter(path -> path.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList());
        }
    }

    @Override
    public void close() throws IOException {
        for (Ring ring : rings.values()) {
            ring.close();
        }
    }

    /** The segments of one process. */
    private static final class Ring {
        private final Path folder;
        private final long most;
        private long bytes;
        private OutputStream out = OutputStream.nullOutputStream();
        private boolean isOpen;

        Ring(Path folder, long most) {
            this.folder = folder;
            this.most = most;
        }

        /** Writes a line in one call, so that it is there as soon as this returns, whatever becomes of this program. */
        void add(String line) throws IOException {
            byte[] text = line.getBytes(StandardCharsets.UTF_8);
            if (!isOpen || bytes + text.length > most) {
                next();
            }
            try {
                out.write(text);
                bytes += text.length;
            } catch (IOException e) {
                close();
                throw e;
            }
        }

        private void next() throws IOException {
            close();
            PrivateFiles.folder(folder);
            List<Path> segments = segments(folder);
            String last =
                    segments.isEmpty() ? "0" : segments.getLast().getFileName().toString();
            for (int i = 0; i <= segments.size() - SEGMENTS; i++) {
                Files.deleteIfExists(segments.get(i));
            }
            long number = Long.parseLong(last.replaceAll("\\D", "")) + 1;
            Path file = folder.resolve("%08d.jsonl".formatted(number));
            out = PrivateFiles.create(file);
            isOpen = true;
            bytes = 0;
        }

        void close() throws IOException {
            isOpen = false;
            out.close();
        }
    }
}
