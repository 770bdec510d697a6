package dev.leakline.cli;

import dev.leakline.Analysis;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/** The program: finds the command that is meant and runs it. */
@Command(
        name = "leakline",
        description = "Names the line of code that keeps GPU memory from coming back in PyTorch jobs.",
        versionProvider = Main.Version.class,
        mixinStandardHelpOptions = true,
        subcommands = {ReportCommand.class},
        footer = {
            "",
            "Exit codes: 0 done, 2 wrong usage, 3 an input that cannot be read whole.",
            "More heap for very large files: LEAKLINE_JAVA_OPTS=-Xmx8g leakline report FILE"
        })
public final class Main implements Runnable {
    /** Picocli refuses to write help that is narrower. */
    private static final int MIN_USAGE_COLUMNS = 55;

    /** Ends the process with the command's exit code. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) {
        CommandLine commandLine = new CommandLine(new Main())
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

    @Override
    public void run() {
        throw new ParameterException(new CommandLine(this), "Name a command, such as: leakline report snapshot.pickle");
    }

    /** Says which version this is. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"leakline " + Analysis.version()};
        }
    }
}
