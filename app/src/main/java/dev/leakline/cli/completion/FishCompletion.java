package dev.leakline.cli.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The completion script for fish, which picocli does not make: commands, options with what they mean, and values. */
final class FishCompletion {
    private static final String NO_COMMAND = "-n __fish_use_subcommand";
    private static final String COMPLETE = "complete -c leakline ";

    private FishCompletion() {}

    static String of(CommandSpec program) {
        List<String> lines = new ArrayList<>();
        program.options().forEach(option -> lines.add(option(NO_COMMAND, option)));
        for (CommandLine command : program.subcommands().values()) {
            CommandSpec spec = command.getCommandSpec();
            String about = quoted(spec.usageMessage().description()[0]);
            lines.add(COMPLETE + NO_COMMAND + " -a " + spec.name() + " -d " + about);
            String here = "-n '__fish_seen_subcommand_from " + spec.name() + "'";
            spec.options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> lines.add(option(here, option)));
            for (PositionalParamSpec parameter : spec.positionalParameters()) {
                if (hasValues(parameter)) {
                    lines.add(COMPLETE + here + " -f -a '" + values(parameter) + "'");
                }
            }
        }
        return String.join("\n", lines);
    }

    private static String option(String condition, OptionSpec option) {
        StringBuilder line = new StringBuilder(COMPLETE).append(condition);
        for (String name : option.names()) {
            line.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        if (option.arity().max() > 0) {
            line.append(hasValues(option) ? " -x -a '" + values(option) + "'" : " -r");
        }
        return line.append(" -d ")
                .append(quoted(String.join(" ", option.description())))
                .toString();
    }

    private static boolean hasValues(ArgSpec argument) {
        return argument.completionCandidates() != null
                && argument.completionCandidates().iterator().hasNext();
    }

    private static String values(ArgSpec argument) {
        return StreamSupport.stream(argument.completionCandidates().spliterator(), false)
                .map(value -> value.toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.joining(" "));
    }

    private static String quoted(String text) {
        return "'" + Ansi.OFF.string(text).replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
