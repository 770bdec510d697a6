package dev.leakline.cli;

import dev.leakline.Ranks;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.HtmlFile;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobFiles;
import dev.leakline.cli.common.NextStep;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.cli.common.Terminal;
import dev.leakline.codec.Codec;
import dev.leakline.report.RanksText;
import dev.leakline.report.html.RanksPage;
import dev.leakline.result.JobComparison;
import dev.leakline.result.JobSummary;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline ranks}: a distributed job as one answer. */
final class RanksCommand implements Callable<Integer> {
    /** The forms of the answer. */
    enum Format {
        /** For people. */
        TEXT,
        /** For programs. */
        JSON,
        /** What is kept of each process, to be compared with others later. */
        SUMMARY
    }

    private final PositionalParamSpec files =
            Commands.files("Folders with the snapshots of a job's ranks, snapshots, or"
                    + " summaries written by --format summary, in any order.");
    private final OptionSpec format = OptionSpec.builder("--format")
            .type(Format.class)
            .paramLabel("text|json|summary")
            .defaultValue("text")
            .description("Output format (default: text); summary is what is needed to compare these ranks with others.")
            .build();
    private final OptionSpec deviceMemory = ReportOptions.deviceMemory();
    private final OptionSpec html = OptionSpec.builder("--html")
            .type(String.class)
            .paramLabel("OUT.html")
            .description("Also write an HTML page with a heat map of ranks and lines: one file, needs no network.")
            .build();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "ranks",
                "Compares the ranks of a distributed job.",
                "Says which ranks do the same, which rank is odd, at which line it holds more memory and why, which ranks"
                        + " leak, and which is the first to run out of memory.",
                "Ranks are told by the names of files and folders, as trainers write them. Of several files of a rank the"
                        + " latest counts. Summaries can be merged: leakline ranks SUMMARY SUMMARY --format summary.");
        spec.addPositional(files);
        List.of(format, html, deviceMemory).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() {
        HtmlFile page = html.getValue() == null ? null : HtmlFile.of(html.getValue(), files.getValue());
        JobFiles job = JobFiles.of(files.getValue());
        JobSummary summary = job.read();
        if (summary.processes().isEmpty() && summary.unreadable().isEmpty()) {
            throw new Failures.Advised(
                    "found no snapshot in what was given; expected files that"
                            + " torch.cuda.memory._dump_snapshot() wrote, one or more for each rank",
                    () -> NextStep.suggestForFolder(
                            InputFiles.path(files.<List<String>>getValue().getFirst())));
        }
        if (format.getValue() == Format.SUMMARY) {
            Terminal.out().println(Codec.line(summary));
        } else {
            print(Ranks.compare(summary, deviceMemory.<Long>getValue()), page);
        }
        Terminal.out().flush();
        return job.exit();
    }

    private void print(JobComparison job, @Nullable HtmlFile page) {
        if (page != null) {
            page.write(out -> RanksPage.write(job, new OutputStreamWriter(out, StandardCharsets.UTF_8)));
        }
        if (format.getValue() == Format.JSON) {
            Codec.write(job, Terminal.out());
        } else {
            Terminal.out().print(RanksText.of(job, Terminal.style()));
        }
    }
}
