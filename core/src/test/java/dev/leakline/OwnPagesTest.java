package dev.leakline;

import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Conclusion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
                AnalysisResult result = Analysis.run(List.of(Input.openAnything(page, _ -> {})), Analysis.Options.ALL);
                assertThat(result.verdict()).as(page.toString()).isEqualTo(Verdict.UNDETERMINED);
            }
        }
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
