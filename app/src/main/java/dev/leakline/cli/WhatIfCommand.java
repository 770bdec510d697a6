package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.Snapshot;
import dev.leakline.allocator.AllocatorSettings;
import dev.leakline.report.WhatIfText;
import dev.leakline.result.WhatIf;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline whatif}: replays recordings under other settings of the allocator. */
final class WhatIfCommand implements Callable<Integer> {
    private final PositionalParamSpec files = Main.files("Snapshots with recorded events; - is standard input.");
    private final OptionSpec format = OutputFormat.option();
    private final OptionSpec settings = OptionSpec.builder("--conf")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .initialValue(List.of())
            .paramLabel("SETTINGS")
            .description(
                    "Replay under these settings, written as for PYTORCH_CUDA_ALLOC_CONF; may be given several times"
                            + " (default: all that are worth a try).")
            .build();
    private final OptionSpec memory = OptionSpec.builder("--memory")
            .type(Long.class)
            .converters(new ReportCommand.SizeConverter())
            .initialValue(0L)
            .paramLabel("SIZE")
            .description("Replay on a device of which the job may take so much (24GiB, 80G, 81920MiB, 24e9).")
            .build();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Main.spec(
                this,
                "whatif",
                "Replays recorded allocations under other settings of PyTorch's caching allocator: how much would be"
                        + " reserved, whether the job would run out, and which one setting to use, if any.",
                "It needs a snapshot with events: torch.cuda.memory._record_memory_history() at the start of the job"
                        + " records them.");
        spec.addPositional(files);
        List.of(format, settings, memory).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() {
        settings.<List<String>>getValue().forEach(AllocatorSettings::parse); // before anything is read
        InputFiles<Snapshot> read = InputFiles.open(
                files.getValue(),
                (path, progress) -> Snapshot.open(path, progress).replayable(),
                (name, stream, progress) ->
                        Snapshot.read(name, stream, progress).replayable());
        if (!read.inputs().isEmpty()) {
            WhatIf whatIf = Analysis.whatIf(read.inputs(), memory.<Long>getValue(), settings.getValue());
            OutputFormat.print(format, () -> whatIf, () -> WhatIfText.of(whatIf, Terminal.style()));
        }
        return read.exit();
    }
}
