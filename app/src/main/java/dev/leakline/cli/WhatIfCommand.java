package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.Snapshot;
import dev.leakline.allocator.AllocatorSettings;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.NextStep;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.cli.common.Terminal;
import dev.leakline.report.WhatIfText;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.WhatIf;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline whatif}: replays recordings under other allocator settings. */
final class WhatIfCommand implements Callable<Integer> {
    private final PositionalParamSpec files = Commands.files("Snapshots with recorded events; - is standard input.");
    private final OptionSpec format = OutputFormat.option();
    private final OptionSpec settings = OptionSpec.builder("--conf")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .initialValue(List.of())
            .paramLabel("SETTINGS")
            .description(
                    "Replay under these settings, written as for PYTORCH_CUDA_ALLOC_CONF; may be given several times"
                            + " (default: all settings worth trying).")
            .build();
    private final OptionSpec memory = OptionSpec.builder("--memory")
            .type(Long.class)
            .converters(new ReportOptions.SizeConverter())
            .initialValue(0L)
            .paramLabel("SIZE")
            .description("Memory that the job may use in the replay (24GiB, 80G, 81920MiB, 24e9).")
            .build();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "whatif",
                "Replays recorded allocations under other allocator settings and recommends one.",
                "Shows for each"
                        + " setting of PyTorch's caching allocator how much memory it reserves and whether the job runs out of memory.",
                "Needs a snapshot with events: call torch.cuda.memory._record_memory_history() at the start of the job.");
        spec.addPositional(files);
        List.of(format, settings, memory).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() {
        settings.<List<String>>getValue().forEach(AllocatorSettings::parse); // before anything is read
        InputFiles<Snapshot> read = InputFiles.replayable(files.getValue());
        if (!read.inputs().isEmpty()) {
            WhatIf whatIf = Analysis.whatIf(read.inputs(), memory.<Long>getValue(), settings.getValue());
            OutputFormat.print(
                    format, () -> whatIf, () -> WhatIfText.of(whatIf, leak(read.inputs()), Terminal.style()));
            if (whatIf.devices().isEmpty()) {
                NextStep.suggestFor(files.getValue(), "report");
            }
        }
        return read.exit();
    }

    /** Says that memory leaks, against which no setting helps; empty where it does not. */
    private static String leak(List<Snapshot> recordings) {
        AnalysisResult result = Analysis.run(recordings, Analysis.Options.ALL);
        return result.verdict() == Verdict.LEAK ? "It leaks, which no setting ends: " + result.reason() : "";
    }
}
