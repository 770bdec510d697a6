package dev.leakline.cli;

import picocli.CommandLine.Model.OptionSpec;

/** The option for the number of lines of code that a report shows. */
final class Top {
    /** What a screen has room for beside the findings. */
    static final int LINES = 15;

    private Top() {}

    /** The option for it; {@code of} says of what the lines are. */
    static OptionSpec option(String of) {
        return OptionSpec.builder("--top")
                .type(Integer.class)
                .paramLabel("N")
                .description("Number of lines of code to show for " + of + " (default: " + LINES + "; all in JSON).")
                .build();
    }

    /** Refuses numbers that are none of lines. */
    static void check(OptionSpec top) {
        Integer given = top.getValue();
        if (given != null && given < 0) {
            throw new IllegalArgumentException("--top is " + given + "; expected a number of lines");
        }
    }

    /** The number of lines that a command's options request. */
    static int lines(OptionSpec top, OptionSpec format) {
        Integer given = top.getValue();
        int all = OutputFormat.isJson(format) ? Integer.MAX_VALUE : LINES;
        return given == null ? all : given;
    }
}
