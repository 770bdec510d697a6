package dev.leakline;

import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Input.Demand;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Conclusion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Our own pages quote messages and figures, and nothing is concluded from them. */
@Tag("house")
class OwnPagesTest {
    @Test
    void ourOwnPagesGiveNoVerdict() throws IOException {
        Path root = Repository.root();
        try (Stream<Path> docs = Files.list(root.resolve("docs"));
                Stream<Path> top = Files.list(root)) {
            List<Path> pages = Stream.concat(docs, top)
                    .filter(page -> page.toString().endsWith(".md"))
                    .toList();
            assertThat(pages).hasSizeGreaterThan(10);
            for (Path page : pages) {
                AnalysisResult result =
                        Analysis.run(List.of(Input.open(InputSource.of(page), Demand.ANYTHING)), Analysis.Options.ALL);
                assertThat(result.verdict()).as(page.toString()).isEqualTo(Verdict.UNDETERMINED);
            }
        }
    }

    @Test
    void theListOfVerdictsIsTheProgramsOwn() throws IOException {
        String page = Files.readString(Repository.root().resolve("docs/explain.md"));
        int from = page.indexOf("is a word of these:");
        assertThat(Pattern.compile("`([a-z_]+)`")
                        .matcher(page.substring(from, page.indexOf("\n\n", from)))
                        .results())
                .extracting(word -> word.group(1))
                .containsExactlyInAnyOrderElementsOf(Stream.of(Conclusion.Kind.values())
                        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                        .toList());
    }

    @Test
    void whatFollowsAnAnswerIsRead() throws IOException {
        String message = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB.\n";
        assertThat(explain("device_oom, GPU memory\n  line 3: " + message).verdict())
                .isEqualTo(Conclusion.Kind.UNDETERMINED);
        assertThat(explain("device_oom, GPU memory\n  line 3: " + message + "\n" + message)
                        .verdict())
                .isEqualTo(Conclusion.Kind.DEVICE_OOM);
        assertThat(explain("line 3: " + message).verdict()).isEqualTo(Conclusion.Kind.DEVICE_OOM);
    }
}
