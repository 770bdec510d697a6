package dev.leakline.cli.common;

import dev.leakline.codec.Codec;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** The form in which a command prints its result. */
public enum OutputFormat {
    /** For people. */
    TEXT,
    /** For programs. */
    JSON,
    /** For agents: the answer in at most 1.5 kB of JSON. */
    BRIEF,
    /** For comments of pull requests. */
    MARKDOWN,
    /** For code scanning and editors. */
    SARIF,
    /** For whoever shows the results of tests. */
    JUNIT,
    /** For spreadsheets and data frames. */
    CSV;

    /** The option that every command has for it. */
    public static OptionSpec option() {
        return option(TEXT, JSON);
    }

    /** The option of a command that has these forms, the first of them where none is given. */
    public static OptionSpec option(OutputFormat... forms) {
        List<String> words = Arrays.stream(forms).map(OutputFormat::word).toList();
        return OptionSpec.builder("--format")
                .type(OutputFormat.class)
                .converters(word -> of(word, forms))
                .completionCandidates(words)
                .paramLabel(String.join("|", words))
                .defaultValue(words.getFirst())
                .description("Output format (default: " + words.getFirst() + ").")
                .build();
    }

    private static OutputFormat of(String word, OutputFormat... forms) {
        return Arrays.stream(forms)
                .filter(form -> form.word().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("expected one of "
                        + Arrays.stream(forms).map(Enum::name).collect(Collectors.joining(", ", "[", "]"))
                        + " (case-insensitive) but was '" + word + "'"));
    }

    /** How it is written on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The form that the option of a command asks for. */
    public static OutputFormat of(OptionSpec option) {
        return option.getValue();
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

    /** Returns whether the option of a command asks for JSON. */
    public static boolean isJson(OptionSpec option) {
        return of(option) == JSON;
    }
}
