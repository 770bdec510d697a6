package dev.leakline.cli.ranks;

import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.Terminal;
import dev.leakline.codec.Codec;
import dev.leakline.report.FleetText;
import dev.leakline.result.FleetReport;
import dev.leakline.result.FleetReport.Question;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadLimits;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * {@code leakline fleet}: thousands of recordings. Spark has two hundred jars and works in a process of its own, so that no other command
 * has them on its class path; what that answers as JSON is laid out here.
 */
public final class FleetCommand implements Callable<Integer> {
    private static final String MAIN = "dev.leakline.fleet.FleetMain";
    private static final String SCALA = "2.13";
    /** Leaves C2 out: a query ends before it has compiled anything, and so takes half the time. */
    private static final String ASKING = "-XX:TieredStopAtLevel=1";
    /** The heap, unless the user names one: Spark does all its work in this one process. */
    private static final String HEAP = "-XX:MaxRAMPercentage=60";

    private final PositionalParamSpec inputs = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("INPUT")
            .arity("0..*")
            .initialValue(List.of())
            .description("Folders or buckets (s3a://bucket/folder) with recordings; files already in the tables"
                    + " are not read again. Without INPUT, only the tables are queried.")
            .build();
    private final OptionSpec out = text("--out", "TABLES", "Folder or bucket of the tables, in Parquet.")
            .required(true)
            .build();
    private final OptionSpec query = OptionSpec.builder("--query")
            .type(Question.class)
            .paramLabel("QUESTION")
            .description(
                    "The question: leaks (by hours of jobs), rates (leaks by bytes per second), new or regressed (leaks,"
                            + " with --since), hosts, versions, teams, outliers, unreadable.")
            .build();
    private final OptionSpec since = text(
                    "--since",
                    "DATE|VERSION",
                    "For new: a date (2026-11-15), or date and time; for regressed: a version.")
            .build();
    private final OptionSpec top = OptionSpec.builder("--top")
            .type(Integer.class)
            .paramLabel("N")
            .defaultValue("20")
            .description("Number of rows of an answer (default: 20).")
            .build();
    private final OptionSpec path = text(
                    "--path",
                    "PATTERN",
                    "Names of the folders below INPUT, such as {team}/{job}/{version}/{host}; * is a folder without a name.")
            .build();
    private final OptionSpec master = text(
                    "--master", "URL", "The Spark cluster to use (default: local[*], all cores of this machine).")
            .build();
    private final OptionSpec settings = OptionSpec.builder("--conf")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .initialValue(List.of())
            .paramLabel("NAME=VALUE")
            .description("A Spark setting, such as spark.hadoop.fs.s3a.endpoint=...; may be given several times.")
            .build();
    private final OptionSpec format = OutputFormat.option();

    /** The command as the command line sees it. */
    public CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "fleet",
                "Analyses thousands of recordings with Apache Spark, and queries the resulting tables.",
                "Each file is analysed as by leakline report. The tables are runs, processes, sites and findings, in"
                        + " Parquet. LEAKLINE_JAVA_OPTS=-Xmx16g sets the heap of the process that does the work.");
        spec.addPositional(inputs);
        List.of(out, query, since, top, path, master, settings, format).forEach(spec::addOption);
        return spec;
    }

    private static OptionSpec.Builder text(String name, String label, String description) {
        return OptionSpec.builder(name).type(String.class).paramLabel(label).description(description);
    }

    @Override
    public Integer call() throws IOException {
        checkUsage();
        Path home = home();
        ProcessBuilder builder = new ProcessBuilder(command(home)).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putIfAbsent("SPARK_HOME", home.resolve("spark").toString());
        builder.environment()
                .putIfAbsent("SPARK_SCALA_VERSION", SCALA); // else Spark looks for a build of its own sources
        Process spark = builder.start();
        try (InputStream answer = spark.getInputStream()) {
            FleetReport report = Codec.readFleet(answer, ReadLimits.DEFAULT);
            OutputFormat.print(format, () -> report, () -> FleetText.of(report, Terminal.style()));
            int exit = exit(spark);
            return report.size().unreadable() > 0
                            && !inputs.<List<String>>getValue().isEmpty()
                    ? Failures.UNREADABLE
                    : exit;
        } catch (ReadException e) {
            int exit = exit(spark);
            if (exit == 0) {
                throw e;
            }
            return exit; // it has said why
        }
    }

    private static int exit(Process spark) {
        try {
            return spark.waitFor();
        } catch (InterruptedException e) {
            spark.destroy();
            Thread.currentThread().interrupt();
            return Failures.UNREADABLE;
        }
    }

    private void checkUsage() {
        Question question = query.getValue();
        boolean needsSince = question == Question.NEW || question == Question.REGRESSED;
        if (needsSince == (since.getValue() == null)) {
            throw new IllegalArgumentException(
                    needsSince
                            ? "--query " + name(question) + " needs --since " + since.paramLabel()
                            : "--since goes with --query new or regressed");
        }
        if (question == null && inputs.<List<String>>getValue().isEmpty()) {
            throw new IllegalArgumentException("expected INPUT to read, or --query to ask the tables");
        }
        for (String setting : settings.<List<String>>getValue()) {
            if (!setting.startsWith("spark.") || !setting.contains("=")) {
                throw new IllegalArgumentException("--conf " + setting + ": expected spark.NAME=VALUE");
            }
        }
    }

    private static String name(Question question) {
        return question.name().toLowerCase(Locale.ROOT);
    }

    private List<String> command(Path home) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + home.resolve("classes/jvm.options"));
        command.add(HEAP);
        // Half of a query is loading Spark's classes: the first run keeps them (170 MB), once it has answered.
        command.addAll(
                List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + home.resolve("leakline-fleet.jsa")));
        if (inputs.<List<String>>getValue().isEmpty()) {
            command.add(ASKING);
        }
        String given = System.getenv("LEAKLINE_JAVA_OPTS");
        Stream.of(given == null ? new String[0] : given.split("\\s+"))
                .filter(option -> !option.isEmpty())
                .forEach(command::add);
        String url = master.getValue();
        if (url != null && !url.matches("local(\\[.*])?")) {
            command.add("-Dleakline.jars=" + String.join(File.pathSeparator, ours(home)));
        }
        command.add("-cp");
        command.add(home.resolve("leakline-fleet.jar")
                + File.pathSeparator
                + home.resolve("lib/*")
                + File.pathSeparator
                + home.resolve("spark/jars/*"));
        command.add(MAIN);
        for (OptionSpec option : List.of(out, query, since, top, path, master)) {
            if (option.getValue() != null) {
                command.add(option.longestName());
                command.add(option.getValue().toString());
            }
        }
        for (String setting : settings.<List<String>>getValue()) {
            command.addAll(List.of("--conf", setting));
        }
        command.addAll(inputs.<List<String>>getValue());
        return command;
    }

    /** Our jars that are not Spark's, for the executors of a cluster. */
    private static List<String> ours(Path home) throws IOException {
        try (Stream<Path> libraries = Files.list(home.resolve("lib"))) {
            return Stream.concat(Stream.of(home.resolve("leakline-fleet.jar")), libraries)
                    .map(Path::toString)
                    .sorted()
                    .toList();
        }
    }

    /** The folder of what only this command needs, beside that of the program. */
    private static Path home() {
        URL program = FleetCommand.class.getProtectionDomain().getCodeSource().getLocation();
        // In a package it is not known: its classes come from an archive.
        Path home = program == null
                ? null
                : Path.of(URI.create(program.toString()))
                        .resolve("../../../fleet/target")
                        .normalize();
        if (home == null || !Files.exists(home.resolve("leakline-fleet.jar"))) {
            throw new IllegalArgumentException("fleet runs from a checkout of the sources, as no package brings Spark:"
                    + " ./leakline fleet fetches and builds it there");
        }
        return home;
    }
}
