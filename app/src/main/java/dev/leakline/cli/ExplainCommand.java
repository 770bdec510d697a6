package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.Sources;
import dev.leakline.bundle.BundleFile;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.EarlierReport;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobRecord;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.Terminal;
import dev.leakline.report.ExplainText;
import dev.leakline.report.Given;
import dev.leakline.report.document.BriefReport;
import dev.leakline.result.AnalysisResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline explain}: draws one conclusion from whatever there is. */
final class ExplainCommand implements Callable<Integer> {
    /** Lines of a peak that JSON has. */
    private static final int LINES = 20;

    private final PositionalParamSpec files = Commands.files(
            "Anything: a pasted report, messages, logs, monitoring output, recordings, a folder with them, or an archive of leakline bundle;"
                    + " - is standard input.");
    private final OptionSpec format = OutputFormat.option(OutputFormat.TEXT, OutputFormat.JSON, OutputFormat.BRIEF);

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "explain",
                "Explains any text or recording about GPU or host memory.",
                "Reads messages, figures and tables in any text, and recordings of the same job; says what follows from"
                        + " which line, what stays unknown, and what to do next.");
        spec.addPositional(files);
        spec.addOption(format);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        List<String> given = new ArrayList<>();
        List<Input> packed = new ArrayList<>();
        for (String file : files.<List<String>>getValue()) {
            if (!file.equals("-") && BundleFile.isOne(InputFiles.path(file))) {
                packed.addAll(BundleFile.read(InputFiles.path(file)));
            } else {
                given.addAll(file.equals("-") ? List.of(file) : InputFiles.ofCase(InputFiles.path(file)));
            }
        }
        InputFiles<Input> read = InputFiles.open(given, Demand.ANYTHING);
        packed.addAll(read.inputs());
        if (!packed.isEmpty()) {
            explain(packed, given);
        }
        return read.exit();
    }

    private void explain(List<Input> inputs, List<String> given) {
        List<HolderDump> dumps = HolderReport.dumps(inputs);
        if (dumps.size() == inputs.size()) {
            HolderReport.print(dumps, Sources.NONE, format, HolderReport.DEFAULT_TOP);
            return;
        }
        EarlierReport earlier = EarlierReport.among(inputs);
        AnalysisResult result = earlier == null ? Analysis.run(inputs, Analysis.Options.ALL) : earlier.result();
        Given named = JobRecord.given(given);
        OutputFormat.print(
                format,
                () -> result.shown(LINES, false),
                () -> OutputFormat.of(format) == OutputFormat.BRIEF
                        ? BriefReport.of(result, named) + "\n"
                        : ExplainText.of(result, named, Terminal.style()));
    }
}
