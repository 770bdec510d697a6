package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Keeps README and docs true to what there is: files, headings, commands and options. */
class DocsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final Pattern COMMAND = Pattern.compile("(?:^|[|`] ?)(?:\\./)?leakline ([a-z]+)\\b([^|`]*)");
    private static final Pattern OPTION = Pattern.compile("(?<=\\s)--[a-z][a-z-]+");

    @Test
    void theReadmeFitsItsReaders() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThan(200);
    }

    @Test
    void linksLeadToFilesAndHeadings() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : matches(LINK, withoutBlocks(page))) {
                if (!ELSEWHERE.matcher(link).matches() && !isThere(page, link)) {
                    dead.add(page + ": " + link);
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    private static boolean isThere(Path page, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
        return Files.exists(file) && (parts.length == 1 || anchors(file).contains(parts[1]));
    }

    /** The anchors that forges make of headings. */
    private static List<String> anchors(Path page) throws IOException {
        return withoutBlocks(page)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .toList();
    }

    @Test
    void eachCommandHasItsLine() throws IOException {
        String commands = Files.readString(ROOT.resolve("docs/commands.md"));
        for (String command : Main.program().subcommands().keySet()) {
            assertThat(commands).contains("| `leakline " + command + "` |");
        }
    }

    @Test
    void commandsAndOptionsAreThoseOfTheProgram() throws IOException {
        CommandSpec program = Main.program();
        List<String> unknown = new ArrayList<>();
        int checked = 0;
        for (Path page : pages()) {
            for (String line : Files.readAllLines(page)) {
                for (MatchResult found : COMMAND.matcher(line).results().toList()) {
                    CommandLine command = program.subcommands().get(found.group(1));
                    if (command != null) {
                        checked++;
                        String own = found.group(2).split(" -- | {3,}|# ", 2)[0];
                        matches(OPTION, own).stream()
                                .filter(option -> command.getCommandSpec().findOption(option) == null)
                                .forEach(option -> unknown.add(page + ": " + line.strip()));
                    }
                }
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(checked).isGreaterThan(60);
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            Stream<Path> others = Stream.of(
                            "README.md", "AGENTS.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "probe/SECURITY.md")
                    .map(ROOT::resolve);
            return Stream.concat(others, docs.filter(file -> file.toString().endsWith(".md")))
                    .sorted()
                    .toList();
        }
    }

    private static String withoutBlocks(Path page) throws IOException {
        return Files.readString(page).replaceAll("(?s)```.*?```", "");
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.groupCount() > 0 ? found.group(1) : found.group())
                .toList();
    }
}
