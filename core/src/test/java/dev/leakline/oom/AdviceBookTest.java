package dev.leakline.oom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AdviceBookTest {
    private static final Pattern STEP = Pattern.compile("(?:step|known)\\([^()\"]*\"([a-z-]+)\"");

    @Test
    void eachSaysWhatToDoAndWhy() {
        assertThat(AdviceBook.ALL.names())
                .allSatisfy(name -> assertThat(AdviceBook.ALL.rows(name))
                        .isNotEmpty()
                        .allSatisfy(row -> {
                            assertThat(row.action()).isNotBlank();
                            assertThat(row.why()).endsWith(".");
                        }));
    }

    @Test
    void theFileHasTheStepsThatConclusionsName() throws IOException {
        Path folder = Repository.root().resolve("texts/src/main/java/dev/leakline/conclusion");
        try (Stream<Path> files = Files.list(folder)) {
            List<String> named = files.map(AdviceBookTest::text)
                    .flatMap(text -> STEP.matcher(text).results().map(match -> "step." + match.group(1)))
                    .toList();
            assertThat(named).hasSizeGreaterThan(15);
            assertThat(AdviceBook.ALL.names()).containsAll(named);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
