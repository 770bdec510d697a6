package dev.leakline.cli;

import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.Terminal;
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
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) {
        CommandSpec main = Commands.spec(
                (Runnable) Main::refuse, "leakline", "Finds the line of code that leaks GPU memory in PyTorch jobs.");
        main.addSubcommand("report", new ReportCommand().spec());
        main.addSubcommand("whatif", new WhatIfCommand().spec());
        main.addSubcommand("fit", new FitCommand().spec());
        main.addSubcommand("diff", new DiffCommand().spec());
        main.addSubcommand("oom", new OomCommand().spec());
        main.addSubcommand("run", new RunCommand().spec());
        main.addSubcommand("attach", new AttachCommand().spec());
        main.addSubcommand("ps", new PsCommand().spec());
        main.addSubcommand("watch", new WatchCommand().spec());
        main.addSubcommand("holders", new HoldersCommand().spec());
        main.addSubcommand("lint", new LintCommand().spec());
        main.usageMessage()
                .footer(
                        "",
                        "Exit codes: 0 success, 1 --fail-on matched, 2 wrong usage, 3 unreadable or truncated input.",
                        "For very large files, raise the heap limit: LEAKLINE_JAVA_OPTS=-Xmx8g leakline report FILE");
        CommandLine commandLine = new CommandLine(main)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(false)
                .setUsageHelpWidth(Math.max(Terminal.columns(), MIN_USAGE_COLUMNS))
                .setOut(Terminal.out())
                .setErr(Terminal.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        Terminal.hasColor() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
                .setExecutionExceptionHandler((failure, _, _) -> Failures.report(failure));
        try {
            return commandLine.execute(arguments);
        } catch (OutOfMemoryError e) {
            return Failures.reportFullHeap();
        }
    }

    private static void refuse() {
        throw new IllegalArgumentException(
                "no command given; try: leakline report snapshot.pickle (leakline --help lists all commands)");
    }
}
