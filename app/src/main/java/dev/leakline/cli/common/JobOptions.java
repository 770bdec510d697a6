package dev.leakline.cli.common;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Options of the commands that load the probe into a job. */
public final class JobOptions {
    /** Devices of the tensors that a dump is about. */
    private enum Target {
        CUDA,
        CPU
    }

    private static final Pattern PAUSE = Pattern.compile("(\\d{1,6})(ms|s)|0");

    private JobOptions() {}

    /** The command that starts a job, with its arguments. */
    public static PositionalParamSpec command(String description) {
        return PositionalParamSpec.builder()
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("COMMAND")
                .arity("1..*")
                .required(true)
                .description(description)
                .build();
    }

    /** The flag by which calls of native code are sampled. */
    public static OptionSpec sampling() {
        return Commands.flag(
                "--native",
                "Note which calls of C and C++ code allocate host memory, about one block in 512 KiB, to name the function and its Python line.");
    }

    /** The file for the report, which {@link ReportFile} writes. */
    public static OptionSpec report(String description) {
        return OptionSpec.builder("--report")
                .type(String.class)
                .paramLabel("FILE")
                .description(description)
                .build();
    }

    /** How long a dump may pause the job; {@code pauses} says what may, {@code beyond} what of more, {@code standard} where nobody says. */
    public static OptionSpec maxPause(String standard, String pauses, String beyond) {
        return OptionSpec.builder("--max-pause")
                .type(String.class)
                .paramLabel("TIME")
                .defaultValue(standard)
                .description(
                        "How long " + pauses + ", such as 200ms or 2s; 0 lets it take as long as it needs (default: "
                                + standard + "). " + beyond)
                .build();
    }

    /** The pause that was given; zero where it may take as long as it needs. */
    public static Duration pause(OptionSpec option) {
        String text = option.getValue();
        Matcher time = PAUSE.matcher(text);
        if (!time.matches()) {
            throw new IllegalArgumentException("--max-pause " + text + ": expected a time such as 200ms or 2s, or 0");
        }
        return time.group(1) == null
                ? Duration.ZERO
                : Duration.of(
                        Long.parseLong(time.group(1)),
                        time.group(2).equals("s") ? ChronoUnit.SECONDS : ChronoUnit.MILLIS);
    }

    /** Where the job's outputs go. */
    public static OptionSpec keep(String description) {
        return OptionSpec.builder("--keep")
                .type(String.class)
                .paramLabel("DIR")
                .description(description)
                .build();
    }

    /** The option for whose tensors are meant. */
    public static OptionSpec target() {
        return OptionSpec.builder("--target")
                .type(Target.class)
                .paramLabel("cuda|cpu")
                .description("The device of the tensors that dumps follow: cuda or cpu (default: cuda).")
                .build();
    }

    /** The probe's name of the target; null if none was given. */
    public static @Nullable String target(OptionSpec option) {
        Target target = option.getValue();
        return target == null ? null : target.name().toLowerCase(Locale.ROOT);
    }

    /** How much is recorded. */
    public static OptionSpec.Builder history() {
        return OptionSpec.builder("--history").type(Long.class).paramLabel("N");
    }

    /** Another probe in place of ours. */
    public static OptionSpec probe(String label) {
        return OptionSpec.builder("--probe")
                .type(String.class)
                .paramLabel(label)
                .hidden(true)
                .description("Use this probe instead of the built-in one.")
                .build();
    }
}
