package dev.leakline;

import dev.leakline.detect.MessageExplainer;
import dev.leakline.read.EvidenceKind;
import dev.leakline.read.LogReader;
import dev.leakline.read.ReadException;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.OutOfMemoryLog;
import dev.leakline.result.OutOfMemoryResult;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Explains out-of-memory errors, from the text of logs and from snapshots. */
public final class OutOfMemory {
    /** What one input was: a snapshot or a log; the other is null. */
    public record Source(
            @Nullable Snapshot snapshot, @Nullable OutOfMemoryLog log) {
        /** Why the input could not be read to its end, or null where it could. */
        public @Nullable String incomplete() {
            return snapshot != null
                    ? snapshot.incomplete()
                    : Objects.requireNonNull(log).file().incomplete();
        }
    }

    private OutOfMemory() {}

    /** Reads a file: as a snapshot if it is one by its content, as a log else. */
    public static Source open(Path path, LongConsumer progress) throws IOException {
        try (InputStream stream = EvidenceKind.open(path)) {
            return read(path.toString(), stream, progress);
        } catch (ReadException e) {
            if (e.code() != ReadException.Code.NOT_A_SNAPSHOT) {
                throw e;
            }
            return openLog(path, progress);
        }
    }

    /** What only seemed to be a snapshot, such as a page with a log in it. */
    private static Source openLog(Path path, LongConsumer progress) throws IOException {
        try (InputStream stream = EvidenceKind.open(path)) {
            return new Source(null, new LogReader(progress).read(path.toString(), stream));
        }
    }

    /** Reads a stream to its end; {@code name} stands for it in reports. The stream stays the caller's to close. */
    public static Source read(String name, InputStream raw, LongConsumer progress) throws IOException {
        InputStream stream = new BufferedInputStream(raw);
        return EvidenceKind.isSnapshot(stream)
                ? new Source(Snapshot.read(name, stream, progress), null)
                : new Source(null, new LogReader(progress).read(name, stream));
    }

    /** Explains what was read; messages and snapshots of the same failure are joined. */
    public static OutOfMemoryResult explain(List<Source> sources) {
        List<Snapshot> snapshots = new ArrayList<>();
        List<OutOfMemoryLog> logs = new ArrayList<>();
        for (Source source : sources) {
            if (source.snapshot != null) {
                snapshots.add(source.snapshot);
            }
            if (source.log != null) {
                logs.add(source.log);
            }
        }
        AnalysisResult result = snapshots.isEmpty() ? null : Analysis.run(snapshots, Analysis.Options.ALL);
        return new OutOfMemoryResult(Analysis.version(), logs, MessageExplainer.explain(logs, result), result);
    }
}
