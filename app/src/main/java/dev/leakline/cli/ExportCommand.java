package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Profiled;
import dev.leakline.Snapshot;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.OutputFile;
import dev.leakline.report.export.Viewer;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline export}: writes a recording for the viewers of profiles and traces. */
final class ExportCommand implements Callable<Integer> {
    private final PositionalParamSpec file = PositionalParamSpec.builder()
            .type(String.class)
            .index("0")
            .paramLabel("FILE")
            .required(true)
            .description("A snapshot, a profiler trace, or a folder of leakline run; - is standard input.")
            .build();
    private final OptionSpec target = OptionSpec.builder("--to")
            .type(Viewer.class)
            .required(true)
            .paramLabel("pprof|speedscope|perfetto|csv|parquet|sql")
            .description(
                    "pprof and speedscope: bytes by stack, at the peak, at the end, and allocated in all;"
                            + " perfetto: live and reserved bytes over time, steps, failed requests; csv: one row per stack;"
                            + " parquet: one row per allocation, with its line, step and times; sql: statements for a database, which leakline query asks.")
            .build();
    private final OptionSpec output = OptionSpec.builder("-o", "--output")
            .type(String.class)
            .paramLabel("OUT")
            .description("The file to write (default: named after FILE, in the working folder); - is standard output.")
            .build();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "export",
                "Writes a recording for other viewers: pprof, speedscope, Perfetto, tables.",
                "Open the files with go tool pprof -http : OUT, or in the browser at speedscope.app or ui.perfetto.dev.");
        spec.addPositional(file);
        List.of(target, output).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        String name = file.getValue();
        String named = output.getValue() == null ? defaultName(name) : output.getValue();
        OutputFile saved = named.equals("-") ? null : OutputFile.of("-o", named, List.of(name));
        InputFiles<Snapshot> read = InputFiles.recordings(List.of(name));
        if (read.inputs().isEmpty()) {
            return read.exit();
        }
        Profiled devices = Analysis.profile(read.inputs(), Analysis.Options.ALL);
        if (saved == null) {
            OutputStream stdout = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
            write(devices, name, stdout);
            stdout.flush();
        } else {
            saved.write(out -> write(devices, name, out));
        }
        return read.exit();
    }

    private void write(Profiled profiled, String name, OutputStream out) throws IOException {
        Viewer viewer = target.getValue();
        viewer.write(profiled.result(), profiled.devices(), name, Analysis.version(), out);
    }

    private String defaultName(String input) {
        Viewer viewer = target.getValue();
        @Nullable
        Path last = input.equals("-")
                ? null
                : InputFiles.path(input).toAbsolutePath().normalize().getFileName();
        String base = last == null
                ? "recording"
                : last.toString().replaceFirst("(\\.(pickle|json|html))?(\\.(gz|zst))?$", "");
        return base + viewer.ending();
    }
}
