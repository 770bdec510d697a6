package dev.leakline.report;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.codec.Codec;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.testkit.pickle.Dialect;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code leakline oom} prints. */
class OutOfMemoryReportTest {
    private static final String LOG =
            "step 1\n[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 346.00 MiB. GPU 5 has a"
                    + " total capacity of 47.53 GiB of which 112.44 MiB is free. Process 412345 has 3.21 GiB memory in use. Including non-PyTorch"
                    + " memory, this process has 44.21 GiB memory in use. Of the allocated memory 42.73 GiB is allocated by PyTorch, and 13.62 MiB"
                    + " is reserved by PyTorch but unallocated.\nRuntimeError: CUDA out of memory. Tried to allocate 7.25 GiB and 3.33 GiB more\n"
                    + "CUDA out of memory \033[31m\u202e, skipping\n";

    @ParameterizedTest
    @ValueSource(ints = {40, 60, 80, 140})
    void noLineIsWiderThanTheTerminal(int columns) throws IOException {
        String text = OutOfMemoryText.of(result(LOG), new Style(columns, false, true));
        assertThat(text.lines()).allMatch(line -> line.length() <= columns);
        assertThat(text).doesNotContain("\033", "\u202e").startsWith("job.log\n");
    }

    @Test
    void theReasonComesFirstThenTheSizes() throws IOException {
        String text = OutOfMemoryText.of(result(LOG), new Style(100, false, true));
        assertThat(text)
                .containsSubsequence(
                        "2 out-of-memory messages, in 4 lines",
                        "1 place only mentions running out of memory without giving sizes: line 4",
                        "device oom other processes   line 2, CUDA 5, rank 3",
                        "346.00 MiB were requested and 112 MiB",
                        "requested               346.00 MiB",
                        "process 412345          3.21 GiB",
                        "= outside of PyTorch",
                        "the printed sizes add up",
                        "what to do",
                        "device oom   line 3, CUDA",
                        "?                       3.33 GiB, in: ");
    }

    @Test
    void aLogWithoutAnySaysSo() throws IOException {
        assertThat(OutOfMemoryText.of(result("step 1\nstep 2\n"), new Style(80, false, true)))
                .isEqualTo("job.log\n  No out-of-memory message in 2 lines, 14 B.\n");
        assertThat(OutOfMemoryText.of(result("\n"), new Style(80, false, true))).contains("1 line,");
    }

    @Test
    void everyPromisedFieldIsThere() throws IOException {
        JsonNode json = json(result(LOG));
        assertThat(json.get("schema").asString()).isEqualTo("leakline.report/1");
        JsonNode message = json.get("messages").get(0);
        assertThat(message.propertyNames())
                .contains("log", "found", "count", "places", "text", "sizes", "derived")
                .contains("kind", "title", "reasons", "checks", "warning", "failures", "advice");
        assertThat(message.get("kind").asString()).isEqualTo("device_oom_other_processes");
        assertThat(message.at("/found/ranks/0").asInt()).isEqualTo(3);
        assertThat(message.at("/sizes/requested/bytes").asLong()).isEqualTo(362_807_296);
        assertThat(message.at("/sizes/allowed").isMissingNode()).isTrue();
        assertThat(message.at("/found/message/figures").valueStream())
                .anyMatch(figure -> figure.get("meaning").asString().equals("other_process")
                        && figure.get("pid").asLong() == 412_345);
        assertThat(json.at("/messages/1/found/message/figures").valueStream())
                .anyMatch(figure -> figure.get("meaning").asString().equals("unknown")
                        && figure.at("/size/text").asString().equals("3.33 GiB"));
    }

    @Test
    void aSnapshotWithoutFailuresSaysSo() throws IOException {
        byte[] bytes = snapshot().alloc("a", 30 << 20, "train.py:41 train").write(Dialect.PROTOCOL_4);
        AnalysisResult result = explain(bytes);
        assertThat(result.hasFailedRequests()).isFalse();
        assertThat(OutOfMemoryText.of(result, new Style(80, false, true)))
                .contains("The recording has no failed request.");
        assertThat(json(result).get("inputs").get(0).get("path").asString()).isEqualTo("job.log");
    }

    private static JsonNode json(AnalysisResult result) {
        StringWriter out = new StringWriter();
        Codec.write(result, out);
        return JsonMapper.shared().readTree(out.toString());
    }

    private static AnalysisResult result(String log) throws IOException {
        return explain(log.getBytes(StandardCharsets.UTF_8));
    }

    private static AnalysisResult explain(byte[] bytes) throws IOException {
        Input input = Input.open(InputSource.of("job.log", new ByteArrayInputStream(bytes)), Demand.ANYTHING);
        return Analysis.run(List.of(input), Analysis.Options.ALL);
    }
}
