package dev.leakline.cli.ranks;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Ranks;
import dev.leakline.Sources;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.cli.common.HtmlFile;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobFiles;
import dev.leakline.cli.common.NextStep;
import dev.leakline.cli.common.Terminal;
import dev.leakline.codec.Codec;
import dev.leakline.report.RanksText;
import dev.leakline.report.html.RanksPage;
import dev.leakline.result.JobComparison;
import dev.leakline.result.JobComparison.Odd;
import dev.leakline.result.JobComparison.Rank;
import dev.leakline.result.JobSummary;
import dev.leakline.result.ProcessSummary;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/** The answer for a job of several ranks, which {@code ranks} gives, and {@code report} of a folder with their recordings. */
public record RanksAnswer(JobSummary summary, int exit) {
    private static final Pattern NUMBERS = Pattern.compile("\\d{1,9}(,\\d{1,9})*");

    /**
     * The pages that are wanted.
     *
     * @param name that of the page of all ranks
     * @param file where that is written
     * @param inputs what the user gave, which no page may replace
     * @param which {@code odd}, {@code all} or numbers: the ranks that get a page of their own, in a folder beside it
     */
    public record Pages(String name, HtmlFile file, List<String> inputs, String which) {
        private boolean has(JobComparison job, int rank) {
            return switch (which) {
                case "all" -> true;
                case "odd" -> RanksText.told(job).stream().map(Odd::rank).anyMatch(odd -> odd == rank);
                default -> numbers().contains(rank);
            };
        }

        private Set<Integer> numbers() {
            return NUMBERS.matcher(which).matches()
                    ? Arrays.stream(which.split(",")).map(Integer::valueOf).collect(Collectors.toSet())
                    : Set.of();
        }

        private Path folder() {
            return InputFiles.path(name.replaceFirst("\\.[^.]*$", "_ranks"));
        }
    }

    /** The option for the pages of single ranks. */
    public static OptionSpec rankPages() {
        return OptionSpec.builder("--rank-pages")
                .type(String.class)
                .paramLabel("odd|all|N,...")
                .initialValue("odd")
                .description(
                        "With --html: ranks that get a page of their own, in a folder OUT_ranks that the heat map links"
                                + " to (default: odd, the outliers that the text lists).")
                .build();
    }

    /** The pages that the options ask for, null for none; throws where they cannot be written. */
    public static @Nullable Pages pages(OptionSpec html, OptionSpec rankPages, List<String> inputs) {
        String name = html.getValue();
        String which = rankPages.getValue();
        if (!which.equals("odd")
                && !which.equals("all")
                && !NUMBERS.matcher(which).matches()) {
            throw new IllegalArgumentException(
                    "--rank-pages " + which + ": expected odd, all, or numbers of ranks, as in 3,17");
        }
        return name == null ? null : new Pages(name, HtmlFile.of(name, inputs), inputs, which);
    }

    /** Reads folders, recordings and summaries. */
    public static RanksAnswer read(List<String> given) {
        JobFiles job = JobFiles.of(given);
        JobSummary summary = job.read();
        if (summary.processes().isEmpty() && summary.unreadable().isEmpty()) {
            return new RanksAnswer(
                    summary, InputFiles.open(given, Demand.EVIDENCE).exit()); // which says what is wrong with a folder
        }
        if (summary.processes().isEmpty()) {
            NextStep.help("leakline run");
        }
        return new RanksAnswer(summary, job.exit());
    }

    /** Prints what is kept of each process. */
    public void printSummary() {
        Terminal.out().println(Codec.line(summary));
        Terminal.out().flush();
    }

    /** Compares the ranks, prints that, and writes the pages that are wanted. */
    public JobComparison print(boolean isJson, long deviceBytes, @Nullable Pages pages, Sources sources) {
        JobComparison compared = Ranks.compare(summary, deviceBytes);
        JobComparison job = compared.withFindings(sources.attach(compared.findings()));
        if (isJson) {
            Codec.write(job, Terminal.out());
        } else if (!summary.processes().isEmpty()) {
            Terminal.out().print(RanksText.of(job, Terminal.style()));
        }
        Terminal.out().flush();
        if (pages != null) {
            Map<Integer, String> written = writeOwn(job, deviceBytes, pages);
            pages.file.write(out -> RanksPage.write(job, written, new OutputStreamWriter(out, StandardCharsets.UTF_8)));
        }
        return job;
    }

    /** The pages of single ranks, one after the other, as the heat map links to them. */
    private Map<Integer, String> writeOwn(JobComparison job, long deviceBytes, Pages pages) {
        Map<Integer, String> written = new TreeMap<>();
        Set<Integer> missing = new TreeSet<>(pages.numbers());
        for (Rank rank : job.ranks()) {
            Path recording = pages.has(job, rank.rank()) ? recording(rank) : null;
            missing.remove(rank.rank());
            if (recording != null) {
                Path page = pages.folder().resolve("rank" + rank.rank() + ".html");
                write(recording, deviceBytes, page, pages.inputs);
                written.put(rank.rank(), pages.folder().getFileName() + "/" + page.getFileName());
            }
        }
        if (!missing.isEmpty()) {
            Terminal.err()
                    .println("leakline: --rank-pages " + pages.which + ": no recording of rank "
                            + missing.stream().map(String::valueOf).collect(Collectors.joining(", ")) + " was read");
        }
        return written;
    }

    private static void write(Path recording, long deviceBytes, Path page, List<String> inputs) {
        Analysis.Options all = Analysis.Options.ALL;
        Analysis.Options options = new Analysis.Options(all.device(), all.window(), deviceBytes, all.functions());
        try {
            Path folder = page.toAbsolutePath().getParent();
            if (folder != null) {
                PrivateFiles.folder(folder);
            }
            HtmlFile.of(page.toString(), inputs)
                    .write(Analysis.illustrate(
                            List.of(Input.open(InputSource.of(recording), Demand.EVIDENCE)), options));
        } catch (IOException e) {
            throw new IllegalArgumentException("--rank-pages: " + page + ": " + e.getMessage(), e);
        }
    }

    /** Names the command that reports on one rank: the first odd one, or the one that holds most. */
    public void suggestReport(JobComparison job) {
        Set<Integer> odd = job.odd().stream().limit(1).map(Odd::rank).collect(Collectors.toSet());
        job.ranks().stream()
                .filter(rank -> odd.isEmpty() ? rank.peak() == job.largestPeak() : odd.contains(rank.rank()))
                .findFirst()
                .map(this::recording)
                .ifPresent(file -> NextStep.suggest("report", file.toString()));
    }

    /** The recording of a rank, null where only its summary is here. */
    private @Nullable Path recording(Rank rank) {
        return summary.processes().stream()
                .map(ProcessSummary::path)
                .filter(path -> path.equals(rank.file()) || path.endsWith("/" + rank.file()))
                .map(InputFiles::path)
                .filter(Files::isRegularFile)
                .findFirst()
                .orElse(null);
    }
}
