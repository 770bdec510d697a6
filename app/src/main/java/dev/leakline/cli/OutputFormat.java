package dev.leakline.cli;

import picocli.CommandLine.Model.OptionSpec;

/** In what form a command prints what it has to say. */
enum OutputFormat {
    /** For people. */
    TEXT,
    /** For programs. */
    JSON;

    /** The option that every command has for it. */
    static OptionSpec option() {
        return OptionSpec.builder("--format")
                .type(OutputFormat.class)
                .paramLabel("text|json")
                .defaultValue("text")
                .description("What to print (default: text).")
                .build();
    }

    /** Whether the option of a command asks for JSON. */
    static boolean isJson(OptionSpec option) {
        return option.getValue() == JSON;
    }
}
