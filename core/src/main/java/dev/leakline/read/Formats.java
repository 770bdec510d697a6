package dev.leakline.read;

import dev.leakline.read.dump.DumpFormat;
import dev.leakline.read.figures.FigureFormat;
import dev.leakline.read.figures.LinePattern;
import dev.leakline.read.looks.LookFormat;
import dev.leakline.read.report.ReportFormat;
import dev.leakline.read.report.SummaryFormat;
import dev.leakline.read.samples.SampleFormat;
import dev.leakline.read.snapshot.SnapshotFormat;
import dev.leakline.read.trace.TraceFormat;
import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.Head;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.SinkFiles;
import dev.leakline.source.Source;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All formats that Leakline understands, and the only way to read a file: snapshots, traces of torch.profiler, holder dumps, figures in JSON
 * and in texts, messages about memory that ran out, reports that Leakline wrote; plain, gzip or zstd. The content decides, never the name.
 */
public final class Formats {
    /** Files that gpumemprof and stormlog put into a folder after an error, or to diagnose: those with the figures. */
    private static final List<String> BUNDLED = List.of("events.json", "telemetry_timeline.json");
    /** Failures of other formats' readers at a log, which may begin like JSON. */
    private static final Set<Code> MAY_BE_LOG = EnumSet.of(Code.NOT_A_SNAPSHOT, Code.DAMAGED, Code.TRUNCATED);

    private final ReadLimits limits;
    private final SnapshotFormat snapshots;
    private final TextFormat texts;
    private final List<Format> formats;

    /** Formats whose readers tell {@code progress} now and then how many uncompressed bytes they have come to. */
    public Formats(ReadLimits limits, LongConsumer progress) {
        this(limits, progress, null);
    }

    /** Formats for which, in texts, figures are what {@code pattern} matches, if it is not null. */
    public Formats(ReadLimits limits, LongConsumer progress, @Nullable LinePattern pattern) {
        this.limits = limits;
        this.snapshots = new SnapshotFormat(limits, progress);
        this.texts = new TextFormat(limits, progress, pattern);
        ReportFormat reports = new ReportFormat(limits);
        this.formats = List.of(
                new DumpFormat(),
                new SummaryFormat(limits),
                new SampleFormat(),
                new LookFormat(),
                reports,
                new TraceFormat(limits, progress),
                snapshots,
                new PageFormat(snapshots, reports),
                texts,
                new FigureFormat(limits, progress));
    }

    /**
     * Reads a file; errors do not name it, since the caller knows best how to.
     *
     * @param opener opens it, and once more where it may be a log that only seemed to be of another format
     * @param takesAnyText whether a text that says nothing about memory is no error
     */
    public Content read(Source.Opener opener, boolean takesAnyText) throws IOException {
        try (InputStream stream = opener.open()) {
            return read(Source.of(stream, limits), takesAnyText);
        } catch (ReadException e) {
            Content.Figures log = MAY_BE_LOG.contains(e.code()) ? log(opener, takesAnyText) : null;
            if (log != null) {
                return log;
            }
            throw e;
        } catch (IOException e) {
            throw ReadException.explain(e, 0);
        }
    }

    /** Reads a stream, which can be read but once; it stays the caller's to close. */
    public Content read(InputStream stream) throws IOException {
        try {
            return read(Source.of(stream, limits), false);
        } catch (IOException e) {
            throw ReadException.explain(e, 0);
        }
    }

    private Content read(Source source, boolean takesAnyText) throws IOException {
        Format format = format(source);
        return takesAnyText && format == texts ? texts.readAnything(source) : format.read(source);
    }

    /** Opens a file; of a folder of gpumemprof or stormlog, what has its figures. */
    public static InputStream open(Path path) throws IOException {
        if (!Files.isRegularFile(path.resolve("manifest.json"))) {
            return Source.open(path);
        }
        List<Path> segments = SinkFiles.of(path);
        return segments.isEmpty()
                ? Source.open(BUNDLED.stream()
                        .map(path::resolve)
                        .filter(Files::isRegularFile)
                        .findFirst()
                        .orElse(path))
                : SinkFiles.open(segments);
    }

    /** Reads a log that only seemed to be of another format, such as a page with a log in it; null where it holds no message, and not any text will do. */
    private Content.@Nullable Figures log(Source.Opener opener, boolean takesAnyText) {
        try (InputStream stream = opener.open()) {
            Source source = Source.of(stream, limits).upTo(limits.searchedBytes());
            refuseStrangers(source.head());
            Content.Figures log = texts.readMessages(source);
            if (log.messages() != null && log.messages().count() > 0) {
                return log;
            }
        } catch (IOException e) {
            return null;
        }
        return takesAnyText ? text(opener) : null;
    }

    private Content.@Nullable Figures text(Source.Opener opener) {
        try (InputStream stream = opener.open()) {
            Source source = Source.of(stream, limits);
            return source.head().hasControls() ? null : texts.readAnything(source);
        } catch (IOException e) {
            return null;
        }
    }

    private Format format(Source source) throws IOException {
        if (source.head().isEmpty()) {
            throw new ReadException(Code.EMPTY, 0, "empty input");
        }
        refuseStrangers(source.head());
        for (Format format : formats) {
            if (format.claims(source)) {
                return format;
            }
        }
        if (source.head().isBracketed()) {
            return snapshots; // its errors name what is missing in the JSON of a snapshot
        }
        throw ReadException.notASnapshot(source.head().describe());
    }

    /** Fails for files that are known and hold nothing to read. */
    private static void refuseStrangers(Head head) throws ReadException {
        if (head.startsWith('P', 'K', 3, 4)) {
            boolean isCheckpoint = head.text().contains("data.pkl");
            throw ReadException.notASnapshot(
                    isCheckpoint
                            ? "it is a torch checkpoint (weights, not a memory snapshot)"
                            : "it is a zip archive; unpack it first");
        }
        if (head.startsWith(0x80, 2, 0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46)) {
            throw ReadException.notASnapshot("it is an old torch checkpoint (weights, not a memory snapshot)");
        }
        if (head.startsWith(0x89, 'P', 'N', 'G')) {
            throw ReadException.notASnapshot("it is a PNG image");
        }
        if (head.startsWith(0x7f, 'E', 'L', 'F')) {
            throw ReadException.notASnapshot("it is a program");
        }
    }

    /** Returns whether a file seems to be a snapshot, a trace or a summary, by its first bytes alone; an empty one is none. */
    public boolean isOfRank(Path path) throws IOException {
        try (InputStream stream = Source.open(path)) {
            Source source = Source.of(stream, limits);
            for (Format format : formats) {
                if (format.claims(source)) {
                    return format instanceof SnapshotFormat
                            || format instanceof TraceFormat
                            || format instanceof SummaryFormat;
                }
            }
            return false;
        } catch (IOException e) {
            throw ReadException.explain(e, 0);
        }
    }
}
