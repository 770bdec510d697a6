package dev.leakline.cli.common;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Profiled;
import dev.leakline.Input;
import dev.leakline.Snapshot;
import dev.leakline.Sources;
import dev.leakline.report.Given;
import dev.leakline.report.NextCommand;
import dev.leakline.report.detail.RecordingParts;
import dev.leakline.report.detail.ResultParts;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Detail;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A case that is asked more than once: what was read of it, its result, and its allocations once somebody asks after them. */
public final class Inquiry {
    private final Given given;
    private final List<Input> inputs;
    private final Analysis.Options options;
    private @Nullable AnalysisResult result;
    private @Nullable Profiled profiled;

    private Inquiry(Given given, List<Input> inputs, Sources sources) {
        this.given = given;
        this.inputs = inputs;
        this.options = Analysis.Options.ALL.with(sources);
    }

    /** Reads files or folders of one case; throws where none of them can be read. */
    public static Inquiry of(List<String> files, Sources sources) throws IOException {
        InputFiles<Input> read = InputFiles.openCase(files, null);
        if (read.inputs().isEmpty()) {
            throw new IOException("nothing could be read of " + String.join(", ", files));
        }
        return new Inquiry(JobRecord.given(files), read.inputs(), sources);
    }

    /** A case of inputs that are no files. */
    public static Inquiry of(Given given, Input input) {
        return new Inquiry(given, List.of(input), Sources.NONE);
    }

    /** The files that were given. */
    public Given given() {
        return given;
    }

    /** Its result, made when it is asked for. */
    public AnalysisResult result() throws IOException {
        if (result == null) {
            EarlierReport earlier = EarlierReport.among(inputs);
            result = earlier != null
                    ? earlier.result()
                    : profiled == null ? Analysis.run(inputs, options) : profiled.result();
        }
        return result;
    }

    /** Its result with all allocations; those are none where a report was given. */
    public Profiled profiled() throws IOException {
        if (profiled == null) {
            profiled = snapshots().isEmpty() ? new Profiled(result(), List.of()) : Analysis.profile(inputs, options);
        }
        return profiled;
    }

    /** The command that goes on from its result. */
    public String next() throws IOException {
        return NextCommand.of(result(), given).command();
    }

    /** A part of it, all rows, with the command that goes on from its result; that shows all where it is this one. */
    public Detail part(String name) throws IOException {
        Detail part = found(name);
        return part.then(next().endsWith(" " + name) ? given.more() : next());
    }

    private Detail found(String name) throws IOException {
        if (!RecordingParts.isOne(name)) {
            return new ResultParts(result()).of(name);
        }
        List<Snapshot> snapshots = snapshots();
        if (snapshots.isEmpty()) {
            throw new IllegalArgumentException(name + " needs the recording itself, and this is a report or a text");
        }
        return name.equals("what-if")
                ? ResultParts.whatIf(Analysis.whatIf(snapshots, 0, List.of()))
                : new RecordingParts(profiled().devices()).of(name);
    }

    private List<Snapshot> snapshots() {
        return inputs.stream()
                .flatMap(input -> input instanceof Snapshot snapshot ? Stream.of(snapshot) : Stream.empty())
                .toList();
    }
}
