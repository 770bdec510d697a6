package dev.leakline.cli;

import dev.leakline.HolderDump;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline holders}: says who keeps each tensor alive. */
final class HoldersCommand implements Callable<Integer> {
    private final PositionalParamSpec files = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("DUMP")
            .arity("1..*")
            .required(true)
            .description("Dumps of one process; several show what grew. - is standard input.")
            .build();
    private final OptionSpec format = OutputFormat.option();
    private final OptionSpec top = OptionSpec.builder("--top")
            .type(int.class)
            .paramLabel("N")
            .defaultValue(String.valueOf(HolderReport.DEFAULT_TOP))
            .description("Groups of tensors to tell of in full (default: " + HolderReport.DEFAULT_TOP + ").")
            .build();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Main.spec(
                this,
                "holders",
                "Says who keeps each tensor alive: the list, closure, traceback, cycle or autograd graph, the reference to cut, and"
                        + " what comes back if it goes.",
                "Reads the dumps that Leakline's probe writes inside a job; of several of one process it says what grew.");
        spec.addPositional(files);
        List.of(format, top).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() {
        if (top.<Integer>getValue() < 0) {
            throw new IllegalArgumentException("--top takes a number from 0 on");
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
        if (!dumps.isEmpty()) {
            HolderReport.print(dumps, format, top.getValue());
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
