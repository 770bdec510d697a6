package dev.leakline.cli;

import dev.leakline.Analysis;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

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
        CommandSpec main = spec(
                (Runnable) Main::refuse, "leakline", "Finds the line of code that leaks GPU memory in PyTorch jobs.");
        main.addSubcommand("report", new ReportCommand().spec());
        main.addSubcommand("whatif", new WhatIfCommand().spec());
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

    /** A command with the options that every command has; {@code work} is called to run it. */
    static CommandSpec spec(Object work, String name, String... description) {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(work);
        spec.name(name);
        spec.usageMessage().description(description);
        spec.version("leakline " + Analysis.version());
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help and exit.")
                .build());
        spec.addOption(OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Print the version and exit.")
                .build());
        return spec;
    }

    /** The files that a command is given, at least one. */
    static PositionalParamSpec files(String description) {
        return PositionalParamSpec.builder()
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("FILE")
                .arity("1..*")
                .required(true)
                .description(description)
                .build();
    }

    /** An option that is either given or not. */
    static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .arity("0")
                .initialValue(false)
                .description(description)
                .build();
    }
}
