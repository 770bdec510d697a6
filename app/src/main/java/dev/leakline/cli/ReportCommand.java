package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.Snapshot;
import dev.leakline.Window;
import dev.leakline.Window.Bound;
import dev.leakline.primitive.Printable;
import dev.leakline.report.JsonReport;
import dev.leakline.report.TextReport;
import dev.leakline.result.AnalysisResult;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code leakline report}: reads evidence and says what it shows. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description = {
            "Reads memory snapshots and says what held the GPU's memory at its peak, by line of your own code.",
            "A snapshot is what torch.cuda.memory._dump_snapshot() writes; plain, gzip or zstd, pickle or JSON, or a memory_viz page."
        })
final class ReportCommand implements Callable<Integer> {
    enum Format {
        TEXT,
        JSON
    }

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Snapshots of one job, such as one of each rank; - is standard input.")
    private List<String> files = List.of();

    @Option(names = "--format", paramLabel = "text|json", description = "What to print (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TEXT;

    @Option(names = "--device", paramLabel = "N", description = "Only this device; -1 is pinned host memory.")
    private @Nullable Integer device;

    @Option(
            names = "--top",
            paramLabel = "N",
            description = "Lines of code to show for a peak (default: 15; all in JSON).")
    private @Nullable Integer top;

    @Option(names = "--stacks", description = "Show the stacks beneath each line.")
    private boolean hasStacks;

    @Option(names = "--tree", description = "Show the calls through which the peak's memory was allocated.")
    private boolean hasTree;

    @Option(
            names = "--from",
            paramLabel = "MOMENT",
            converter = BoundConverter.class,
            description =
                    "Look for the peak from here on: an event (12000), a time since the beginning (3.5s, 120ms, 2min),"
                            + " or a point in time (2026-11-21T09:30:00Z).")
    private Bound from = Window.ALL.from();

    @Option(
            names = "--to",
            paramLabel = "MOMENT",
            converter = BoundConverter.class,
            description = "Look for the peak only before this moment.")
    private Bound to = Window.ALL.to();

    @Override
    public Integer call() throws IOException {
        int exit = 0;
        List<Snapshot> snapshots = new ArrayList<>();
        for (String file : files) {
            try {
                Snapshot snapshot = open(file);
                snapshots.add(snapshot);
                exit = Math.max(exit, warn(file, snapshot));
            } catch (IOException e) {
                exit = Failures.report(file, e);
            }
        }
        if (!snapshots.isEmpty()) {
            print(Analysis.run(snapshots, new Analysis.Options(device(), new Window(from, to))));
        }
        return exit;
    }

    private static Snapshot open(String file) throws IOException {
        try (Progress progress = new Progress(Printable.of(file, 60))) {
            return file.equals("-")
                    ? Snapshot.read("standard input", System.in, progress)
                    : Snapshot.open(path(file), progress);
        }
    }

    private static Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + file + "' is no path: " + e.getReason(), e);
        }
    }

    private static int warn(String file, Snapshot snapshot) {
        String incomplete = snapshot.incomplete();
        if (incomplete == null) {
            return 0;
        }
        Terminal.err().println("leakline: " + Printable.of(file + ": " + incomplete) + "; reporting what came before");
        return Failures.UNREADABLE;
    }

    private void print(AnalysisResult result) {
        checkDevice(result);
        if (format == Format.JSON) {
            JsonReport.write(result, top == null ? Integer.MAX_VALUE : top, hasStacks, Terminal.out());
        } else {
            TextReport.Options options = new TextReport.Options(top == null ? 15 : top, hasStacks, hasTree);
            Terminal.out().print(TextReport.of(result, options, Terminal.style()));
        }
        Terminal.out().flush();
    }

    private void checkDevice(AnalysisResult result) {
        if (device != null && result.devices().isEmpty()) {
            throw new IllegalArgumentException("device " + device + " holds no memory in this snapshot");
        }
    }

    private OptionalInt device() {
        return device == null ? OptionalInt.empty() : OptionalInt.of(device);
    }

    /** Reads a moment of a recording. */
    static final class BoundConverter implements ITypeConverter<Bound> {
        @Override
        public Bound convert(String text) {
            try {
                return Window.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
