package dev.leakline.cli.common;

import dev.leakline.Analysis;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Makes the parts that every command has. */
public final class Commands {
    private Commands() {}

    /** A command with the options that every command has; {@code work} is called to run it. */
    public static CommandSpec spec(Object work, String name, String... description) {
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
        spec.addOption(OptionSpec.builder("--color")
                .type(Terminal.Color.class)
                .paramLabel("auto|always|never")
                .setter(Commands::color)
                .description("Colours (default: auto, only on a terminal; honours NO_COLOR and FORCE_COLOR).")
                .build());
        return spec;
    }

    private static <T> T color(T chosen) {
        if (chosen instanceof Terminal.Color color) {
            Terminal.color(color);
        }
        return chosen;
    }

    /** The files that a command is given, at least one. */
    public static PositionalParamSpec files(String description) {
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
    public static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .arity("0")
                .initialValue(false)
                .description(description)
                .build();
    }
}
