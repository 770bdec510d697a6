package dev.leakline.cli;

import dev.leakline.bundle.BundleCommand;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.NextStep;
import dev.leakline.cli.common.Terminal;
import dev.leakline.cli.completion.CompletionCommand;
import dev.leakline.cli.mcp.McpCommand;
import dev.leakline.cli.ranks.FleetCommand;
import dev.leakline.cli.ranks.RanksCommand;
import dev.leakline.cli.serve.ServeCommand;
import dev.leakline.doctor.DoctorCommand;
import dev.leakline.known.KnownLeak;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The program: finds the command that is meant and runs it.
 *
 * <p>Commands describe themselves to picocli in code, not by annotations: reading those takes a tenth of a second, which is most of the
 * time that the whole program needs to start.
 */
public final class Main {
    /** Picocli refuses to write help that is narrower. */
    private static final int MIN_USAGE_COLUMNS = 55;

    /** Ends the process with the command's exit code. */
    public static void main(String[] arguments) {
        System.exit(Terminal.finish(run(arguments)));
    }

    private static int run(String[] arguments) {
        CommandSpec main = program();
        CommandLine commandLine = new CommandLine(main)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(false)
                .setUsageHelpWidth(Math.max(Terminal.columns(), MIN_USAGE_COLUMNS))
                .setOut(Terminal.out())
                .setErr(Terminal.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        Terminal.hasColor() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler((misuse, _) -> Failures.report(misuse))
                .setExecutionExceptionHandler((failure, line, _) -> Failures.report(failure, line.getCommandSpec()));
        String[] meant = meant(main, arguments);
        NextStep.after(meant);
        try {
            addKnownLeaks();
        } catch (IOException | IllegalArgumentException e) {
            return Failures.tell(Failures.report(e), meant);
        }
        try {
            return Failures.tell(commandLine.execute(meant), meant);
        } catch (OutOfMemoryError e) {
            return Failures.tell(Failures.reportFullHeap(), meant);
        }
    }

    /** Leaks of libraries that are known since the release, from the file that the environment names. */
    private static void addKnownLeaks() throws IOException {
        String file = System.getenv("LEAKLINE_KNOWN_LEAKS");
        if (file != null && !file.isEmpty()) {
            KnownLeak.add(Files.readString(Path.of(file)));
        }
    }

    /** The program as the command line sees it; of this, manual pages are made, too. */
    public static CommandSpec program() {
        CommandSpec main = Commands.spec(
                (Runnable) Main::begin, "leakline", "Finds the line of code that leaks GPU memory in PyTorch jobs.");
        main.addSubcommand("report", new ReportCommand().spec());
        main.addSubcommand("web", new WebCommand().spec());
        main.addSubcommand("serve", new ServeCommand().spec());
        main.addSubcommand("ranks", new RanksCommand().spec());
        main.addSubcommand("fleet", new FleetCommand().spec());
        main.addSubcommand("whatif", new WhatIfCommand().spec());
        main.addSubcommand("fit", new FitCommand().spec());
        main.addSubcommand("estimate", new EstimateCommand().spec());
        main.addSubcommand("verify", new VerifyCommand().spec());
        main.addSubcommand("diff", new DiffCommand().spec());
        main.addSubcommand("gate", new GateCommand().spec());
        main.addSubcommand("export", new ExportCommand().spec());
        main.addSubcommand("detail", new DetailCommand().spec());
        main.addSubcommand("query", new QueryCommand().spec());
        main.addSubcommand("explain", new ExplainCommand().spec());
        main.addSubcommand("mcp", new McpCommand().spec());
        main.addSubcommand("oom", new OomCommand().spec());
        main.addSubcommand("run", new RunCommand().spec());
        main.addSubcommand("attach", new AttachCommand().spec());
        main.addSubcommand("ps", new PsCommand().spec());
        main.addSubcommand("watch", new WatchCommand().spec());
        main.addSubcommand("holders", new HoldersCommand().spec());
        main.addSubcommand("doctor", new DoctorCommand().spec());
        main.addSubcommand("bundle", new BundleCommand().spec());
        main.addSubcommand("lint", new LintCommand().spec());
        main.addSubcommand("schema", new SchemaCommand().spec());
        main.addSubcommand("agents", new AgentsCommand().spec());
        main.usageMessage()
                .footer(
                        "",
                        "leakline FILE is leakline report FILE; leakline help COMMAND is leakline COMMAND --help.",
                        "Exit codes: 0 success; 1 what --fail-on, gate, verify or lint look for was found; 2 wrong usage; 3 unreadable"
                                + " or truncated input.",
                        "For very large files, raise the heap limit: LEAKLINE_JAVA_OPTS=-Xmx8g leakline report FILE");
        main.addSubcommand("completion", new CompletionCommand().spec(main));
        return main;
    }

    /** {@code help report} means {@code report --help}; a file alone is to be reported. */
    private static String[] meant(CommandSpec main, String[] given) {
        if (given.length == 0 || main.subcommands().containsKey(given[0])) {
            return given;
        }
        if (given[0].equals("help")) {
            if (given.length == 1) {
                return new String[] {"--help"};
            }
            return main.subcommands().containsKey(given[1])
                    ? new String[] {given[1], "--help"}
                    : new String[] {given[1]};
        }
        boolean isFile = !given[0].startsWith("-") && (new File(given[0]).exists() || given[0].matches(".*[./].*"));
        return isFile ? Stream.concat(Stream.of("report"), Arrays.stream(given)).toArray(String[]::new) : given;
    }

    private static void begin() {
        Terminal.out().println("""
                Leakline says which line of a PyTorch job leaks memory, who keeps it, and what to change.

                  leakline run -- python train.py    run a job, and report what leaks when it ends
                  leakline attach PID                the same for a job that is running
                  leakline explain error.log         what an error message or a log says; - is standard input
                  leakline FILE                      the report of a snapshot, a trace, a folder or a saved report
                  leakline lint .                    what leaks in Python source, before it runs

                Agents begin with: leakline agents""");
        Terminal.out().flush();
        NextStep.help("leakline");
    }
}
