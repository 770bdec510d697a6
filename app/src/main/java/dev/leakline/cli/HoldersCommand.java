package dev.leakline.cli;

import dev.leakline.HolderDump;
import dev.leakline.Sources;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.NextStep;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.Terminal;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline holders}: shows who keeps each tensor alive. */
final class HoldersCommand implements Callable<Integer> {
    private final PositionalParamSpec files = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("DUMP")
            .arity("1..*")
            .required(true)
            .description("Holder dumps of one process; several show what grew. - is standard input.")
            .build();
    private final OptionSpec format = OutputFormat.option();
    private final OptionSpec top = OptionSpec.builder("--top")
            .type(int.class)
            .paramLabel("N")
            .defaultValue(String.valueOf(HolderReport.DEFAULT_TOP))
            .description("Groups of tensors to show in full (default: " + HolderReport.DEFAULT_TOP + ").")
            .build();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "holders",
                "Shows who keeps each tensor alive.",
                "Names the owner (a list, closure, traceback, reference cycle"
                        + " or autograd graph), which reference to remove, and what that frees.",
                "Reads holder dumps, which Leakline's probe writes inside a job (leakline run, leakline attach)."
                        + " Several dumps of one process show what grew.");
        spec.addPositional(files);
        List.of(format, top).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() {
        if (top.<Integer>getValue() < 0) {
            throw new IllegalArgumentException("--top expects a number of at least 0");
        }
        List<HolderDump> dumps = new ArrayList<>();
        int exit = 0;
        for (String file : files.<List<String>>getValue()) {
            try {
                HolderDump dump = open(file);
                dumps.add(dump);
                exit = Math.max(exit, warn(file, dump));
            } catch (IOException e) {
                exit = Failures.report(file, e);
            }
        }
        if (dumps.isEmpty()) {
            NextStep.help("leakline run"); // which writes them
        }
        if (!dumps.isEmpty()) {
            HolderReport.print(dumps, Sources.NONE, format, top.getValue());
        }
        return exit;
    }

    private static HolderDump open(String file) throws IOException {
        return file.equals("-") ? HolderDump.read("standard input", System.in) : HolderDump.open(InputFiles.path(file));
    }

    private static int warn(String file, HolderDump dump) {
        if (dump.incomplete() == null) {
            return 0;
        }
        Terminal.err().println("leakline: " + Printable.of(file + ": " + dump.incomplete()));
        return Failures.UNREADABLE;
    }
}
