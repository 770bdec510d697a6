package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps ARCHITECTURE.md true: every type it names between back ticks is a Java file here. */
final class ArchitecturePageTest {

    private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)`");

    @Test
    void everyTypeThatThePageNamesExists() throws IOException {
        String page = Files.readString(Repository.root().resolve("ARCHITECTURE.md"));
        Set<String> named = TYPE.matcher(page).results().map(m -> m.group(1)).collect(Collectors.toSet());
        assertThat(types())
                .as("Java files, for the types named in ARCHITECTURE.md")
                .containsAll(named);
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
