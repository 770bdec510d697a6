package dev.leakline;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.read.ReadLimits;
import dev.leakline.read.SnapshotFile;
import dev.leakline.read.SnapshotReader;
import dev.leakline.read.TorchVersion;
import dev.leakline.result.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A memory snapshot, or a trace of the profiler, that was read: the beginning of every analysis. Immutable; any number of threads may use it. */
public final class Snapshot implements Input {
    private final String name;
    private final SnapshotFile file;

    Snapshot(String name, SnapshotFile file) {
        this.name = name;
        this.file = file;
    }

    /** Reads a file of any kind that is understood; throws {@link dev.leakline.read.ReadException} where it is none. */
    public static Snapshot open(Path path) throws IOException {
        return open(path, _ -> {});
    }

    /** Reads a file, telling {@code progress} now and then how many bytes it has come to. */
    public static Snapshot open(Path path, LongConsumer progress) throws IOException {
        return new Snapshot(path.toString(), new SnapshotReader(ReadLimits.DEFAULT, progress).read(path));
    }

    /** Reads a stream to its end; {@code name} stands for it in reports. The stream stays the caller's to close. */
    public static Snapshot read(String name, InputStream stream, LongConsumer progress) throws IOException {
        return new Snapshot(name, new SnapshotReader(ReadLimits.DEFAULT, progress).read(stream));
    }

    /**
     * Itself, if {@link Analysis#whatIf} can replay it; throws {@link dev.leakline.read.ReadException} for a trace of the profiler, which lacks
     * what that needs.
     */
    public Snapshot replayable() throws IOException {
        file.checkReplay();
        return this;
    }

    @Override
    public @Nullable String incomplete() {
        return file.truncation() == null ? null : file.truncation().getMessage();
    }

    InputFile describe() {
        return new InputFile(
                name,
                kind() + file.format(),
                file.bytes(),
                TorchVersion.of(file.columns(), incomplete() == null),
                incomplete());
    }

    private String kind() {
        return switch (columns().recorder) {
            case ALLOCATOR -> "torch memory snapshot, ";
            case PROFILER -> "torch profiler trace, ";
        };
    }

    SnapshotColumns columns() {
        return file.columns();
    }
}
