package dev.leakline.cli.ranks;

import dev.leakline.Sources;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.HtmlFile;
import dev.leakline.cli.common.ReportOptions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline ranks}: a distributed job as one answer. */
public final class RanksCommand implements Callable<Integer> {
    /** The forms of the answer. */
    enum Format {
        /** For people. */
        TEXT,
        /** For programs. */
        JSON,
        /** A summary of each process, to be compared with others later. */
        SUMMARY
    }

    private final PositionalParamSpec files =
            Commands.files("Folders with the snapshots of a job's ranks, snapshots, or"
                    + " summaries written by --format summary, in any order.");
    private final OptionSpec format = OptionSpec.builder("--format")
            .type(Format.class)
            .paramLabel("text|json|summary")
            .defaultValue("text")
            .description("Output format (default: text); summary has just what a later comparison needs.")
            .build();
    private final OptionSpec deviceMemory = ReportOptions.deviceMemory();
    private final OptionSpec html =
            HtmlFile.option("Also write an HTML page with a heat map of ranks and lines, which needs no network.");
    private final OptionSpec rankPages = RanksAnswer.rankPages();

    /** The command as the command line sees it. */
    public CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "ranks",
                "Compares the ranks of a distributed job.",
                "Shows which ranks behave alike, which rank is an outlier, at which line it holds more memory and why,"
                        + " which ranks leak, and which runs out of memory first.",
                "Ranks are recognised from file and folder names. Of several files of a rank, the latest counts."
                        + " Summaries can be merged: leakline ranks SUMMARY SUMMARY --format summary.");
        spec.addPositional(files);
        List.of(format, html, rankPages, deviceMemory).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() {
        RanksAnswer.Pages pages = RanksAnswer.pages(html, rankPages, files.getValue());
        RanksAnswer answer = RanksAnswer.read(files.getValue());
        if (format.getValue() == Format.SUMMARY) {
            answer.printSummary();
        } else {
            answer.print(format.getValue() == Format.JSON, deviceMemory.getValue(), pages, Sources.NONE);
        }
        return answer.exit();
    }
}
