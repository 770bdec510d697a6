package dev.leakline.cli.common;

import dev.leakline.codec.Codec;
import java.util.function.Supplier;
import picocli.CommandLine.Model.OptionSpec;

/** The form in which a command prints its result. */
public enum OutputFormat {
    /** For people. */
    TEXT,
    /** For programs. */
    JSON;

    /** The option that every command has for it. */
    public static OptionSpec option() {
        return OptionSpec.builder("--format")
                .type(OutputFormat.class)
                .paramLabel("text|json")
                .defaultValue("text")
                .description("Output format (default: text).")
                .build();
    }

    /** Prints what a command has to say, in the form that its option asks for. */
    public static void print(OptionSpec option, Supplier<Record> json, Supplier<String> text) {
        if (isJson(option)) {
            Codec.write(json.get(), Terminal.out());
        } else {
            Terminal.out().print(text.get());
        }
        Terminal.out().flush();
    }

    /** Whether the option of a command asks for JSON. */
    public static boolean isJson(OptionSpec option) {
        return option.getValue() == JSON;
    }
}
