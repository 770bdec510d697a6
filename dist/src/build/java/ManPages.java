import dev.leakline.cli.Main;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Manual pages of the program and of each command, from what {@code --help} is made from. */
final class ManPages {
    private static final String EXIT_STATUS = """
            .SH EXIT STATUS
            .TP
            .B 0
            success
            .TP
            .B 1
            something was found that \\-\\-fail\\-on or \\-\\-until asks for
            .TP
            .B 2
            wrong usage
            .TP
            .B 3
            an input that cannot be read, or not to its end
            .PP
            .B leakline run
            exits as the job does.
            """;
    private static final String ENVIRONMENT = """
            .SH ENVIRONMENT
            .TP
            .B LEAKLINE_JAVA_OPTS
            more options for the JVM, such as \\-Xmx8g for very large files
            .TP
            .B LEAKLINE_JAVA
            another Java 25 or newer to run on
            .TP
            .B LEAKLINE_UNFOLD
            gibibytes that a compressed file may unfold to
            .TP
            .BR NO_COLOR ", " FORCE_COLOR
            no colours, or colours where the output is no terminal, too
            """;

    private final String version;
    private final String date;
    private final FileTree pages = new FileTree();

    ManPages(String version, Instant time) {
        this.version = version;
        this.date = time.atOffset(ZoneOffset.UTC).toLocalDate().toString();
    }

    FileTree build() {
        CommandSpec program = Main.program();
        add("leakline", program);
        program.subcommands().forEach((name, command) -> add("leakline-" + name, command.getCommandSpec()));
        return pages;
    }

    private void add(String name, CommandSpec command) {
        List<String> about = Arrays.asList(command.usageMessage().description());
        String page = ".TH " + name.toUpperCase(java.util.Locale.ROOT) + " 1 " + date + " \"leakline " + version
                + "\" \"Leakline manual\"\n"
                + ".SH NAME\n" + escaped(name) + " \\- " + escaped(about.getFirst()) + "\n"
                + ".SH SYNOPSIS\n" + escaped(synopsis(command)) + "\n"
                + ".SH DESCRIPTION\n" + paragraphs(about)
                + (command.subcommands().isEmpty() ? "" : ".SH COMMANDS\n" + commands(command))
                + ".SH OPTIONS\n" + arguments(command) + options(command)
                + EXIT_STATUS + ENVIRONMENT
                + ".SH SEE ALSO\n" + seeAlso(name);
        pages.file(name + ".1", page.getBytes(StandardCharsets.UTF_8));
    }

    private static String synopsis(CommandSpec command) {
        CommandLine.Help help = new CommandLine(command).setUsageHelpWidth(1000).getHelp();
        return help.synopsis(0).strip().replaceAll("\\s+", " ");
    }

    private static String paragraphs(List<String> texts) {
        return texts.stream().map(ManPages::escaped).collect(Collectors.joining("\n.PP\n", "", "\n"));
    }

    private static String commands(CommandSpec command) {
        return command.subcommands().entrySet().stream()
                .map(sub -> item(
                        "leakline-" + sub.getKey() + "(1)", first(sub.getValue().getCommandSpec())))
                .collect(Collectors.joining());
    }

    private static String first(CommandSpec command) {
        return command.usageMessage().description()[0];
    }

    private static String arguments(CommandSpec command) {
        return command.positionalParameters().stream()
                .map(parameter -> item(parameter.paramLabel(), text(parameter)))
                .collect(Collectors.joining());
    }

    private static String text(PositionalParamSpec parameter) {
        return String.join(" ", parameter.description());
    }

    private static String options(CommandSpec command) {
        return command.options().stream()
                .filter(option -> !option.hidden())
                .sorted(Comparator.comparing(OptionSpec::longestName))
                .map(option -> item(names(option), String.join(" ", option.description())))
                .collect(Collectors.joining());
    }

    private static String names(OptionSpec option) {
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        return String.join(", ", option.names()) + value;
    }

    private static String item(String what, String description) {
        return ".TP\n.B " + escaped(what) + "\n" + escaped(description) + "\n";
    }

    private static String seeAlso(String name) {
        return name.equals("leakline") ? "Each command has a page of its own.\n" : ".BR leakline (1)\n";
    }

    /** Text as roff takes it literally; picocli's marks for terminals go. */
    private static String escaped(String text) {
        String plain = Ansi.OFF.string(text).replace("%%", "%").replace("%n", "\n");
        return plain.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
    }
}
