package dev.leakline.read;

import dev.leakline.read.Inputs.Sniffed;
import dev.leakline.read.ReadException.Code;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads memory snapshots of torch 1.13 to 2.14, whatever wrote them: pickles of protocol 0 to 5 by Python or by PyTorch's C++
 * writer, JSON of the same, the page that memory_viz makes; plain, gzip or zstd. The content decides, never the name.
 *
 * <p>Nothing in a file is executed. Memory grows with distinct stacks and, at a few bytes each, with events.
 */
public final class SnapshotReader {
    private final ReadLimits limits;
    private final LongConsumer progress;

    /** A reader that tells {@code progress} now and then how many uncompressed bytes it has come to. */
    public SnapshotReader(ReadLimits limits, LongConsumer progress) {
        this.limits = limits;
        this.progress = progress;
    }

    /** Reads a file; errors do not name it, since whoever asked for it knows best how to. */
    public SnapshotFile read(Path path) throws IOException {
        return snapshot(new InputReader(limits, progress).read(path));
    }

    /** Reads a stream to its end; the stream stays the caller's to close. */
    public SnapshotFile read(InputStream stream) throws IOException {
        return snapshot(new InputReader(limits, progress).read(stream));
    }

    private static SnapshotFile snapshot(InputContent content) throws ReadException {
        return switch (content) {
            case SnapshotFile snapshot -> snapshot;
            case MeasurementsFile other -> throw notASnapshot(other.format());
            case HoldersFile _ -> throw notASnapshot("a holder dump; leakline holders says what it holds");
            case ReportFile _ -> throw notASnapshot("a report that leakline wrote");
        };
    }

    private static ReadException notASnapshot(String what) {
        return new ReadException(Code.NOT_A_SNAPSHOT, 0, "not a memory snapshot: it is " + what);
    }

    SnapshotFile readPickle(InputStream stream, String where, String compression) throws IOException {
        Assembler assembler = new Assembler(limits);
        try (ReadAhead source = new ReadAhead(stream)) {
            ByteWindow window = new ByteWindow(source, progress);
            PickleMachine machine = new PickleMachine(window, assembler, limits);
            ReadException truncation = run(machine::run, assembler);
            return file(
                    assembler,
                    "pickle protocol " + machine.protocol() + where,
                    compression,
                    window.offset(),
                    truncation);
        }
    }

    SnapshotFile readJson(Sniffed input) throws IOException {
        Assembler assembler = new Assembler(limits);
        JsonMachine machine = new JsonMachine(input.stream(), assembler, limits);
        ReadException truncation = run(machine::run, assembler);
        return file(assembler, "JSON", input.compression(), machine.offset(), truncation);
    }

    private static SnapshotFile file(
            Assembler assembler, String format, String compression, long bytes, @Nullable ReadException truncation)
            throws ReadException {
        String suffix = compression.isEmpty() ? "" : ", " + compression;
        return new SnapshotFile(assembler.finish(), format + suffix, bytes, truncation);
    }

    /** Runs a machine; where the input ends too early, keeps what was whole, provided that there is anything. */
    private static @Nullable ReadException run(Machine machine, Assembler assembler) throws IOException {
        try {
            machine.run();
            return null;
        } catch (ReadException e) {
            if (e.code() != Code.TRUNCATED || assembler.rowsRead() == 0) {
                throw e;
            }
            return salvage(assembler, e);
        }
    }

    private static ReadException salvage(Assembler assembler, ReadException truncation) throws ReadException {
        try {
            new Salvage(assembler).closeAll();
            return truncation;
        } catch (ReadException e) {
            throw truncation;
        }
    }

    /** Something that feeds an assembler. */
    private interface Machine {
        void run() throws IOException;
    }
}
