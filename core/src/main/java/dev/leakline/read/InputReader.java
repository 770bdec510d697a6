package dev.leakline.read;

import dev.leakline.read.Inputs.Kind;
import dev.leakline.read.Inputs.Sniffed;
import dev.leakline.read.ReadException.Code;
import dev.leakline.read.figures.LinePattern;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads whatever Leakline understands: snapshots, as {@link SnapshotReader} does, traces of torch.profiler, holder dumps, figures of memory
 * in JSON and in texts, and reports that Leakline wrote, pages and JSON; plain, gzip or zstd. The content decides, never the name.
 */
public final class InputReader {
    private static final List<String> BUNDLED = List.of("events.json", "telemetry_timeline.json");

    private final ReadLimits limits;
    private final LongConsumer progress;
    private final @Nullable LinePattern pattern;

    /** A reader that tells {@code progress} now and then how many uncompressed bytes of a snapshot or a text it has come to. */
    public InputReader(ReadLimits limits, LongConsumer progress) {
        this(limits, progress, null);
    }

    /** The same; in texts, figures are what {@code pattern} finds, where it is not null. */
    public InputReader(ReadLimits limits, LongConsumer progress, @Nullable LinePattern pattern) {
        this.limits = limits;
        this.progress = progress;
        this.pattern = pattern;
    }

    /** Reads a file; errors do not name it, since whoever asked for it knows best how to. */
    public InputContent read(Path path) throws IOException {
        try (InputStream stream = Inputs.open(ofBundle(path))) {
            return read(stream);
        }
    }

    /** Of a folder that gpumemprof or stormlog fills after an error, or to diagnose: the file with the figures. */
    private static Path ofBundle(Path path) {
        boolean isBundle = Files.isRegularFile(path.resolve("manifest.json"));
        return BUNDLED.stream()
                .map(path::resolve)
                .filter(file -> isBundle && Files.isRegularFile(file))
                .findFirst()
                .orElse(path);
    }

    /** Reads a stream to its end; the stream stays the caller's to close. */
    public InputContent read(InputStream stream) throws IOException {
        try {
            return read(Inputs.sniff(stream, limits));
        } catch (IOException e) {
            throw Inputs.explain(e, 0);
        }
    }

    private InputContent read(Sniffed input) throws IOException {
        SnapshotReader snapshots = new SnapshotReader(limits, progress);
        return switch (input.kind()) {
            case PICKLE -> snapshots.readPickle(input.stream(), "", input.compression());
            case JSON -> snapshots.readJson(input);
            case HOLDERS -> new HoldersFile(HoldersReader.read(input.stream()));
            case REPORT -> readReport(input);
            case TRACE -> new TraceReader(limits, TraceLimits.DEFAULT, progress).read(input);
            case MEASUREMENTS -> new MeasurementsReader(limits, progress, pattern).read(input);
            case HTML -> {
                EmbeddedData data = new EmbeddedData(input.stream());
                yield data.isReport()
                        ? readReport(Inputs.sniff(data, limits))
                        : snapshots.readPickle(data, " in a memory_viz page", input.compression());
            }
        };
    }

    private ReportFile readReport(Sniffed data) throws IOException {
        if (data.kind() != Kind.REPORT) {
            throw new ReadException(Code.DAMAGED, 0, "the page of leakline does not hold a report");
        }
        return new ReportFile(ReportReader.read(data.stream(), limits));
    }
}
