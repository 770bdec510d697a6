package dev.leakline.cli.common;

import dev.leakline.text.MemorySize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** Options of the commands that report what leaks. */
public final class ReportOptions {
    /** Lines that a screen has room for beside the findings. */
    public static final int LINES = 15;

    private ReportOptions() {}

    /** The number of lines of code that a report shows; {@code of} says of what the lines are. */
    public static OptionSpec top(String of) {
        return OptionSpec.builder("--top")
                .type(Integer.class)
                .paramLabel("N")
                .description("Number of lines of code to show for " + of + " (default: " + LINES + "; all in JSON).")
                .build();
    }

    /** Refuses numbers that are none of lines. */
    public static void checkTop(OptionSpec top) {
        Integer given = top.getValue();
        if (given != null && given < 0) {
            throw new IllegalArgumentException("--top is " + given + "; expected a number of lines");
        }
    }

    /** The number of lines that a command's options request. */
    public static int lines(OptionSpec top, OptionSpec format) {
        Integer given = top.getValue();
        int all = OutputFormat.isJson(format) ? Integer.MAX_VALUE : LINES;
        return given == null ? all : given;
    }

    /** Returns whether all of a report is wanted, and not what a screen has room for. */
    public static OptionSpec full() {
        return Commands.flag("--full", "Show the whole report (default: what fits on one screen).");
    }

    /** When the command is to fail. */
    public static OptionSpec failOn() {
        return OptionSpec.builder("--fail-on")
                .type(FailOn.class)
                .paramLabel("leak|warning|critical")
                .description("Exit with 1 if memory leaks or ran out (leak), or if a finding has at least this severity"
                        + " (warning, critical).")
                .build();
    }

    /** The memory of a device, 0 where nobody says. */
    public static OptionSpec deviceMemory() {
        return OptionSpec.builder("--device-memory")
                .type(Long.class)
                .converters(new SizeConverter())
                .initialValue(0L)
                .paramLabel("SIZE")
                .description(
                        "Memory of each device (24GiB, 80G, 81920MiB, 24e9), to estimate when it is full or what fits.")
                .build();
    }

    /** The option {@code --source}. */
    public static OptionSpec sources() {
        return OptionSpec.builder("--source")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .initialValue(List.of())
                .paramLabel("DIR")
                .description("Show source lines, and suggest fixes, from this folder only; may be given several times.")
                .build();
    }

    /** The folders that {@link #sources} names; throws {@link IllegalArgumentException} where one is not there. */
    public static List<Path> folders(OptionSpec sources) {
        List<Path> folders =
                sources.<List<String>>getValue().stream().map(InputFiles::path).toList();
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw new IllegalArgumentException("--source " + folder + ": no such folder");
            }
        }
        return folders;
    }

    /** Reads a size of memory. */
    public static final class SizeConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return MemorySize.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
