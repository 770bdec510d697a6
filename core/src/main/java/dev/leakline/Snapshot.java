package dev.leakline;

import dev.leakline.Input.Demand;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.result.InputFile;
import dev.leakline.source.Content;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.TorchVersion;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A memory snapshot or profiler trace that was read: the input of most analyses. Immutable; any number of threads may use it. */
public final class Snapshot implements Input {
    private final String name;
    private final Content.Recording file;

    Snapshot(String name, Content.Recording file) {
        this.name = name;
        this.file = file;
    }

    /** Reads a file that has to be a recording; throws {@link ReadException} where it is none. */
    public static Snapshot open(Path path) throws IOException {
        return open(InputSource.of(path));
    }

    /** Reads a file of wherever in the same way. */
    public static Snapshot open(InputSource source) throws IOException {
        return of(Input.open(source, Demand.EVIDENCE));
    }

    /** Input that has to be a recording; throws {@link ReadException} where it is none. */
    public static Snapshot of(Input input) throws ReadException {
        return switch (input) {
            case Snapshot snapshot -> snapshot;
            case Measurement other -> throw notOne(other.describe().kind());
            case Samples _ -> throw notOne("samples that leakline watch recorded");
            case HostLooks _ -> throw notOne("looks at the host's memory of a process");
            case HolderDump _ -> throw notOne("a holder dump; use leakline holders");
            case Report _ -> throw notOne("a leakline report");
            case Summary _ -> throw notOne("a summary of ranks; use leakline ranks");
        };
    }

    private static ReadException notOne(String what) {
        return new ReadException(Code.NOT_A_SNAPSHOT, 0, "not a memory snapshot, but another kind of file: " + what);
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
