package dev.leakline.doctor;

import dev.leakline.Analysis;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.Terminal;
import dev.leakline.report.DoctorText;
import dev.leakline.result.DoctorReport;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code leakline doctor}: says what this machine and its Python can do, and what would help where they cannot. */
public final class DoctorCommand implements Callable<Integer> {
    private final OptionSpec python = OptionSpec.builder("--python")
            .type(String.class)
            .paramLabel("PATH")
            .defaultValue("python3")
            .description("The Python of the job (default: python3); it is started, and imports torch.")
            .build();
    private final OptionSpec format = OutputFormat.option();

    /** The command as the command line sees it. */
    public CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "doctor",
                "Checks whether this machine and its Python have what Leakline needs, with remedies.",
                "Looks at devices and driver, torch, recording, ptrace for attach, limits of host memory, disk and"
                        + " shared memory. Needs neither a GPU nor a Python.");
        List.of(python, format).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() {
        DoctorReport report = Doctor.examine(Analysis.version(), python.getValue());
        OutputFormat.print(format, () -> report, () -> DoctorText.of(report, Terminal.style()));
        return 0;
    }
}
