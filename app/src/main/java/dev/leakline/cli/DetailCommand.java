package dev.leakline.cli;

import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Inquiry;
import dev.leakline.cli.common.JobRecord;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.Terminal;
import dev.leakline.report.Given;
import dev.leakline.report.detail.DetailText;
import dev.leakline.result.Detail;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline detail}: answers a deeper question about a result, in few rows. */
final class DetailCommand implements Callable<Integer> {
    /** Rows that a person reads at once. */
    static final int ROWS = 20;

    private final PositionalParamSpec words = words(
            "PART",
            "the id of a finding, peak, holders, steps, ruled-out or unknown; of a recording also what-if,"
                    + " FILE.py:LINE (the blocks of a line), event:N and step:N (what was live then), address:HEX, stack:N.");
    private final OptionSpec limit = limit();
    private final OptionSpec cursor = cursor();
    private final OptionSpec format = OutputFormat.option();

    /** The files of a case, and after them what is asked. */
    static PositionalParamSpec words(String question, String description) {
        return PositionalParamSpec.builder()
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("2..*")
                .paramLabel("FILE... " + question)
                .hideParamSyntax(true)
                .required(true)
                .description("FILE: recordings and dumps of one job, a folder of leakline run, or a saved report; - is"
                        + " standard input. " + question + ": " + description)
                .build();
    }

    static OptionSpec limit() {
        return OptionSpec.builder("--limit")
                .type(int.class)
                .paramLabel("N")
                .defaultValue(String.valueOf(ROWS))
                .description("Most rows to show (default: " + ROWS + ").")
                .build();
    }

    static OptionSpec cursor() {
        return OptionSpec.builder("--cursor")
                .type(int.class)
                .paramLabel("N")
                .defaultValue("0")
                .description("First row to show, as printed below the rows before it.")
                .build();
    }

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec =
                Commands.spec(this, "detail", "Shows more of a result: a finding, the peak, the blocks of a line.");
        spec.addPositional(words);
        List.of(limit, cursor, format).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        List<String> all = words.getValue();
        List<String> files = all.subList(0, all.size() - 1);
        Inquiry inquiry = Inquiry.of(files, JobRecord.sources(List.of(), files));
        Detail found = inquiry.part(all.getLast()).page(from(cursor), from(limit));
        print(found, "detail " + inquiry.given().names() + " " + Given.word(all.getLast()), limit, format);
        return 0;
    }

    /** A number of rows. */
    static int from(OptionSpec option) {
        int rows = option.<Integer>getValue();
        if (rows < 0) {
            throw new IllegalArgumentException(option.longestName() + " is " + rows + "; expected a number of rows");
        }
        return rows;
    }

    /** Prints rows; {@code words} are the command that printed them. */
    static void print(Detail page, String words, OptionSpec limit, OptionSpec format) {
        String rows = from(limit) == ROWS ? "" : " --limit " + from(limit);
        Detail detail = page.next() == null ? page : page.then("leakline " + words + rows + " --cursor " + page.next());
        OutputFormat.print(format, () -> detail, () -> DetailText.of(detail, Terminal.style()));
    }
}
