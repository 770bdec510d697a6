package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The programs and the text that Leakline was made for, each with its truth: {@code seedbench} in the folder that LEAKLINE_DATA names. The programs run
 * with the probe inside, by the Python of LEAKLINE_PYTHON. A verdict, the line of the first finding, and where the truth has one, who holds it.
 */
@Order(2)
class SeedbenchTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long GIB = 1L << 30;

    private static Path bench = Path.of("");
    private static @Nullable WarmPython warm;

    @TempDir
    private static Path shared;

    @TempDir
    private Path folder;

    @BeforeAll
    static void findBench() {
        String data = System.getenv("LEAKLINE_DATA");
        assumeTrue(data != null, "LEAKLINE_DATA is not set, and this test needs its folder seedbench");
        bench = Path.of(data, "seedbench");
    }

    @AfterAll
    static void end() {
        if (warm != null) {
            warm.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> programsAreJudgedAsTheirTruthsSay() throws IOException {
        String python = System.getenv("LEAKLINE_PYTHON");
        assumeTrue(python != null, "LEAKLINE_PYTHON is not set, and this test needs a Python with torch and a GPU");
        warm = new WarmPython(python, shared, ownDevice());
        JsonNode truths = JSON.readTree(bench.resolve("truths.json"));
        return Thoroughness.ofEachKind(
                        truths.propertyStream().toList(),
                        truth -> truth.getValue().get("verdict").toString()
                                + truth.getValue().has("holder"))
                .stream()
                .map(truth -> dynamicTest(truth.getKey(), () -> check(truth.getKey(), truth.getValue())));
    }

    /** Programs that run until memory ends leave none for the tests beside this one: theirs is another device, where a stand-in has it. */
    private static Map<String, String> ownDevice() {
        return Map.of("NULLGPU_STATE", shared.resolve("device").toString());
    }

    private void check(String name, JsonNode truth) throws IOException, InterruptedException {
        JsonNode said = run(name);
        assertThat(truth.get("verdict").valueStream().map(JsonNode::asString))
                .as(said.get("reason").asString())
                .contains(said.get("verdict").asString());
        if (truth.has("line")) {
            assertThat(truth.get("line").valueStream().map(JsonNode::asInt))
                    .contains(said.at("/findings/0/site/line").asInt());
        }
        if (truth.has("holder")) {
            assertThat(said.at("/findings/0/holders").toString())
                    .containsPattern(Pattern.compile(truth.get("holder").asString()));
        }
    }

    private JsonNode run(String name) throws IOException, InterruptedException {
        Path result = folder.resolve(name + ".json");
        List<String> command = new ArrayList<>(Program.command(
                Map.of(), "run", "--keep", folder.resolve(name).toString(), "--report", result.toString(), "--"));
        command.addAll(
                Objects.requireNonNull(warm).run(bench.resolve("programs").resolve(name + ".py"), ""));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(Redirect.DISCARD)
                .redirectError(folder.resolve("said").toFile());
        builder.environment().putAll(ownDevice());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(result).as(Files.readString(folder.resolve("said"))).exists();
        return JSON.readTree(result);
    }

    @Test
    void eachNumberOfTheErrorHasItsNameAndTheCacheIsMoreThanTheRequest() throws IOException, InterruptedException {
        Path text = bench.resolve("texts").resolve("s000_error.txt");
        Process process = new ProcessBuilder(Program.command(Map.of(), "explain", "--format", "json", text.toString()))
                .redirectError(Redirect.DISCARD)
                .start();
        JsonNode conclusion = JSON.readTree(process.getInputStream()).get("conclusion");
        assertThat(process.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        assertThat(conclusion.get("verdict").asString()).isEqualTo("device_oom_fragmentation");
        assertThat(bytes(conclusion, "requested")).isEqualTo(2 * GIB);
        assertThat(bytes(conclusion, "free")).isEqualTo(GIB);
        assertThat(bytes(conclusion, "reserved")).isEqualTo(29 * GIB / 2);
        assertThat(bytes(conclusion, "allocated")).isEqualTo(12 * GIB);
        assertThat(bytes(conclusion, "total")).isEqualTo(16 * GIB);
    }

    private static long bytes(JsonNode conclusion, String fact) {
        return conclusion.get("facts").get(fact).get("bytes").asLong();
    }
}
