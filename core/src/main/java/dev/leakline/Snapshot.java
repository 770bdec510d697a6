package dev.leakline;

import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.read.Formats;
import dev.leakline.result.InputFile;
import dev.leakline.source.Content;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.TorchVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A memory snapshot or profiler trace that was read: the input of most analyses. Immutable; any number of threads may use it. */
public final class Snapshot implements Input {
    private final String name;
    private final Content.Recording file;

    Snapshot(String name, Content.Recording file) {
        this.name = name;
        this.file = file;
    }

    /** Reads a file of any kind that is understood; throws {@link dev.leakline.source.ReadException} where it is none. */
    public static Snapshot open(Path path) throws IOException {
        return open(path, _ -> {});
    }

    /** Reads a file, telling {@code progress} now and then how many bytes it has come to. */
    public static Snapshot open(Path path, LongConsumer progress) throws IOException {
        return new Snapshot(path.toString(), new Formats(ReadLimits.DEFAULT, progress).readRecording(path));
    }

    /** Reads a stream to its end; {@code name} stands for it in reports. The stream stays the caller's to close. */
    public static Snapshot read(String name, InputStream stream, LongConsumer progress) throws IOException {
        return new Snapshot(name, new Formats(ReadLimits.DEFAULT, progress).readRecording(stream));
    }

    /**
     * Itself, if {@link Analysis#whatIf} can replay it; throws {@link dev.leakline.source.ReadException} for a trace of the profiler, which lacks
     * what that needs.
     */
    public Snapshot replayable() throws IOException {
        if (columns().recorder == Recorder.PROFILER) {
            throw new ReadException(
                    Code.NOT_A_SNAPSHOT,
                    -1,
                    "it is a torch.profiler trace, which has neither requested sizes nor segments; a replay needs a"
                            + " snapshot: torch.cuda.memory._record_memory_history(), then _dump_snapshot()");
        }
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
