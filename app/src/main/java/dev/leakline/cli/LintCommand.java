package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.Terminal;
import dev.leakline.lint.ChangedFiles;
import dev.leakline.lint.Configuration;
import dev.leakline.lint.Fixer;
import dev.leakline.lint.Lint;
import dev.leakline.lint.LintFinding;
import dev.leakline.lint.LintResult;
import dev.leakline.lint.Recorded;
import dev.leakline.lint.Rule;
import dev.leakline.lint.output.LintJson;
import dev.leakline.lint.output.LintText;
import dev.leakline.lint.output.Sarif;
import dev.leakline.lint.server.LintServer;
import dev.leakline.report.document.Junit;
import dev.leakline.report.document.Junit.Case;
import dev.leakline.report.document.Junit.Outcome;
import dev.leakline.result.Site;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline lint}: finds code that leaks GPU memory before it runs, and mends it. */
final class LintCommand implements Callable<Integer> {
    /** Between two looks at files that are watched: to ask after thousands takes some milliseconds. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final PositionalParamSpec paths = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("PATH")
            .arity("0..*")
            .description("Python files, notebooks, and folders of such (default: the working folder).")
            .build();
    private final OptionSpec format =
            OutputFormat.option(OutputFormat.TEXT, OutputFormat.JSON, OutputFormat.SARIF, OutputFormat.JUNIT);
    private final OptionSpec fix =
            Commands.flag("--fix", "Write the safe fixes, marked [*], into the files, and report the rest.");
    private final OptionSpec diff = Commands.flag("--diff", "Print all fixes as a patch, and change no file.");
    private final OptionSpec with = OptionSpec.builder("--with")
            .type(String.class)
            .paramLabel("SNAPSHOT")
            .description("A recording: findings at lines that keep memory come first.")
            .build();
    private final OptionSpec since = OptionSpec.builder("--since")
            .type(String.class)
            .paramLabel("COMMIT")
            .description("Check only lines that changed since this Git commit.")
            .build();
    private final OptionSpec select = rules("--select", "Check only these rules, such as LK001,LK004.");
    private final OptionSpec ignore = rules("--ignore", "Leave out these rules.");
    private final OptionSpec watch = Commands.flag("--watch", "Keep running, and check files again when they change.");
    private final OptionSpec server =
            Commands.flag("--server", "Serve an editor over stdin and stdout, by the Language Server Protocol.");
    private final OptionSpec explain = OptionSpec.builder("--explain")
            .type(String.class)
            .paramLabel("RULE")
            .description("Explain a rule, and exit.")
            .build();

    /** True if a file could not be read or written. */
    private boolean hasFailed;

    private static OptionSpec rules(String name, String description) {
        return OptionSpec.builder(name)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .splitRegex(",")
                .paramLabel("RULES")
                .description(description)
                .build();
    }

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "lint",
                "Finds code that leaks or wastes GPU memory, before it runs.",
                "A comment # leakline: ignore[LK001] leaves out a line; [tool.leakline.lint] in pyproject.toml selects rules and files."
                        + " Exits with 1 if it finds something.");
        spec.addPositional(paths);
        List.of(format, fix, diff, with, since, select, ignore, watch, server, explain)
                .forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        String rule = explain.getValue();
        if (rule != null) {
            explain(rule);
            return 0;
        }
        if (server.<Boolean>getValue()) {
            return LintServer.serve(System.in, System.out, Analysis.version());
        }
        List<Path> given = given();
        Configuration configuration = Configuration.near(given.getFirst()).with(list(select), list(ignore));
        if (watch.<Boolean>getValue()) {
            return watch(new ChangedFiles(given, configuration), configuration);
        }
        LintResult result = Lint.run(given, configuration, since.getValue());
        String recording = with.getValue();
        if (recording != null) {
            result = Recorded.read(InputFiles.path(recording)).rank(result);
        }
        if (diff.<Boolean>getValue()) {
            Terminal.verbatim(Fixer.diff(result.findings(), this::failed));
            return exit(result);
        }
        if (fix.<Boolean>getValue()) {
            result = mended(result, given, configuration);
        }
        print(result);
        return exit(result);
    }

    private int exit(LintResult result) {
        return hasFailed ? Failures.UNREADABLE : result.findings().isEmpty() ? 0 : Failures.FOUND;
    }

    /** Tells of a file that cannot be read or written; the others are not concerned. */
    private void failed(String file, IOException failure) {
        hasFailed = true;
        int _ = Failures.report(file, failure);
    }

    /** Until somebody ends it. */
    private int watch(ChangedFiles files, Configuration configuration) {
        try {
            while (true) {
                List<Path> changed = files.next();
                if (!changed.isEmpty()) {
                    print(Lint.run(changed, configuration, since.getValue()));
                }
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** Writes the safe fixes and judges what they made. */
    private LintResult mended(LintResult result, List<Path> given, Configuration configuration) throws IOException {
        List<LintFinding> safe = result.findings().stream()
                .filter(finding -> finding.fix().isSafe())
                .toList();
        int count = Fixer.write(safe, this::failed);
        if (count == 0) {
            return result;
        }
        Terminal.err().println("leakline: mended " + (count == 1 ? "1 finding" : count + " findings"));
        return Lint.run(given, configuration, since.getValue());
    }

    private void print(LintResult result) {
        switch (OutputFormat.of(format)) {
            case JSON -> Terminal.out().println(written(out -> LintJson.write(result, out)));
            case SARIF -> Terminal.out().println(written(out -> Sarif.write(result, Analysis.version(), out)));
            case JUNIT -> Terminal.out().print(junit(result).xml());
            default -> LintText.of(result).forEach(Terminal.out()::println);
        }
        Terminal.out().flush();
    }

    private static String written(Consumer<Writer> writer) {
        StringWriter text = new StringWriter();
        writer.accept(text);
        return text.toString();
    }

    /** A case for each finding; where there is none, one that passes. */
    private static Junit junit(LintResult result) {
        List<Case> cases = result.findings().stream().map(LintCommand::junit).toList();
        Case clean = new Case("lint", "no findings", Junit.NOWHERE, Outcome.PASSED, "", "");
        return new Junit("leakline lint", cases.isEmpty() ? List.of(clean) : cases);
    }

    private static Case junit(LintFinding finding) {
        Rule rule = finding.rule();
        String place = finding.file() + ":" + finding.line();
        return new Case(
                rule.id(),
                rule.name() + " at " + place,
                new Site(Site.Kind.USER, finding.file(), finding.line(), ""),
                Outcome.FAILED,
                finding.message(),
                Printable.of(place + ": " + finding.message()) + "\n" + rule.fix());
    }

    private static void explain(String rule) {
        try {
            Terminal.out().print(Rule.of(rule).explanation());
            Terminal.out().flush();
        } catch (NoSuchElementException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private List<Path> given() {
        List<String> names = list(paths.<List<String>>getValue());
        List<Path> found = names.isEmpty()
                ? List.of(Path.of(""))
                : names.stream().map(InputFiles::path).toList();
        for (Path path : found) {
            if (!Files.exists(path)) {
                throw new IllegalArgumentException(path + ": no such file or folder");
            }
        }
        return found;
    }

    private static List<String> list(OptionSpec option) {
        return list(option.<List<String>>getValue());
    }

    private static List<String> list(@Nullable List<String> given) {
        return given == null ? List.of() : given;
    }
}
