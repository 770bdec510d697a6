package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keeps ARCHITECTURE.md and the pages that it leads on to true: every type they name between back ticks is a Java file here. */
@Tag("house")
final class ArchitecturePageTest {

    /** Each page, and the heading of its section about the code, which goes to its end. */
    private static final Map<String, String> PAGES = Map.of(
            "ARCHITECTURE.md", "# Architecture",
            "docs/verdicts.md", "## How a verdict comes about",
            "docs/fit.md", "## What fills a peak, and what would lower it",
            "docs/ranks.md", "## How ranks are compared",
            "docs/watch.md", "## How it judges",
            "docs/fleet.md", "## What a fleet costs, and where it breaks");

    private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)`");

    @Test
    void everyTypeThatThePagesNameExists() throws IOException {
        Set<String> types = types();
        for (Map.Entry<String, String> page : PAGES.entrySet()) {
            String text = Files.readString(Repository.root().resolve(page.getKey()));
            assertThat(text).as(page.getKey()).contains(page.getValue());
            String section = text.substring(text.indexOf(page.getValue()));
            assertThat(TYPE.matcher(section).results().map(m -> m.group(1)).toList())
                    .as("types that %s names", page.getKey())
                    .isNotEmpty()
                    .isSubsetOf(types);
        }
    }

    private static Set<String> types() throws IOException {
        try (Stream<Path> files = Files.walk(Repository.root())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
    }
}
