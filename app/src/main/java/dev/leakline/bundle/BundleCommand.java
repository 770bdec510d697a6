package dev.leakline.bundle;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.attach.linux.LiveException;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.OutputFile;
import dev.leakline.cli.common.Terminal;
import dev.leakline.ps.GpuProcesses;
import dev.leakline.ps.ProcessText;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline bundle}: puts together one archive for a ticket, and says what it took. */
public final class BundleCommand implements Callable<Integer> {
    private static final int COLUMNS = 100;

    private final PositionalParamSpec given = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("FILE|DIR|PID")
            .arity("0..*")
            .description("Logs, recordings, a folder with them, numbers of running processes.")
            .build();
    private final OptionSpec output = OptionSpec.builder("-o", "--output")
            .type(String.class)
            .paramLabel("FILE.zip")
            .defaultValue("leakline-case.zip")
            .description("The archive (default: leakline-case.zip).")
            .build();
    private final OptionSpec scrub = Commands.flag(
            "--scrub",
            "Replace recognised folders, hosts, users and addresses, each by one alias; secrets are replaced without it, too. Read"
                    + " the archive before you send it.");
    private final OptionSpec python = OptionSpec.builder("--python")
            .type(String.class)
            .paramLabel("PATH")
            .defaultValue("python3")
            .description("The Python of the job (default: python3), whose versions are recorded.")
            .build();

    /** The command as the command line sees it. */
    public CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "bundle",
                "Packs what a ticket about memory needs into one archive, which leakline explain can read.",
                "Contains versions, devices, processes, memory settings of the environment, the report on the given files, and"
                        + " the lines about memory in texts among them; no recordings.");
        spec.addPositional(given);
        List.of(output, scrub, python).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        Path file = target(InputFiles.path(output.getValue()));
        CaseBundle bundle = new CaseBundle(Analysis.version(), scrub.<Boolean>getValue());
        CaseFiles files = new CaseFiles(bundle);
        files.machine(Analysis.version(), python.getValue(), processes());
        List<String> inputs = new ArrayList<>();
        List<String> all = given.getValue();
        for (String name : all == null ? List.<String>of() : all) {
            if (name.matches("\\d{1,9}") && !Files.exists(InputFiles.path(name))) {
                files.process(Integer.parseInt(name));
            } else {
                inputs.addAll(InputFiles.ofCase(InputFiles.path(name)));
            }
        }
        InputFiles<Input> read = InputFiles.open(inputs, Demand.ANYTHING);
        for (int i = 0; i < inputs.size(); i++) {
            files.excerpt(i + 1, InputFiles.path(inputs.get(i)));
        }
        files.finish(read.inputs());
        try {
            PrivateFiles.write(PrivateFiles.target(file), bundle::writeTo, PrivateFiles.FILE);
        } catch (IOException e) {
            throw OutputFile.unwritten("-o", file, e);
        }
        tell(bundle, file);
        return read.exit();
    }

    /** Where the archive goes: nothing but an earlier one is overwritten. */
    private static Path target(Path file) {
        if (Files.exists(file) && !BundleFile.isOne(file)) {
            throw new IllegalArgumentException("-o " + file + ": it exists, and is no archive of leakline bundle");
        }
        return file;
    }

    private static String processes() throws IOException {
        try {
            return String.join("\n", ProcessText.of(GpuProcesses.now(), COLUMNS)) + "\n";
        } catch (LiveException e) {
            return e.reason() + "\n";
        }
    }

    private void tell(CaseBundle bundle, Path file) throws IOException {
        bundle.contents().lines().forEach(line -> Terminal.out().println(Printable.of(line)));
        Terminal.out().println("wrote " + Printable.of(file.toString()) + ", " + ByteSize.format(Files.size(file)));
        if (!scrub.<Boolean>getValue()) {
            Terminal.out().println("folders, hosts and users are named in it; --scrub replaces them");
        }
        Terminal.out().flush();
    }
}
