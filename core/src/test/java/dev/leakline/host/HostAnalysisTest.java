package dev.leakline.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.read.looks.LookFormat;
import dev.leakline.result.Frame;
import dev.leakline.result.HostMemory;
import dev.leakline.result.HostMemory.Experiment;
import dev.leakline.result.HostMemory.Kind;
import dev.leakline.result.HostMemory.NativeCall;
import dev.leakline.result.HostMemory.Part;
import dev.leakline.result.HostMemory.State;
import dev.leakline.result.HostMemory.Verdict;
import dev.leakline.result.JobProcess;
import dev.leakline.source.Content;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The host's memory of a process, by looks as the probe writes them: a second apart, of a process of 200 MB. */
class HostAnalysisTest {
    private static final long MB = 1_000_000;
    private static final String SOURCE = """
            import torch

            class Uploader:
                def __init__(self, limit):
                    self.sent = {}
                    self.slots, self.limit = [], limit

                def send(self, name, data):
                    self.sent[name] = data

                def take(self):
                    if len(self.slots) < self.limit:
                        self.slots.append(torch.empty(5, pin_memory=True))

            history = []

            def note(request):
                history.append(request)
            """;

    private final List<String> rows = new ArrayList<>();

    private static String row(int second, String kind, long bytes, String more) {
        return """
                {"time_us": %d, "pid": 77, "steps": %d, "resident": %d, "parts": {"python_objects": %d, "%s": %d}%s}
                """.formatted(
                        second * MB,
                        10 * second,
                        200 * MB + bytes,
                        kind.equals("python_objects") ? bytes : 150 * MB,
                        kind,
                        bytes,
                        more);
    }

    private static String pile(String owner, String name, String attribute, String kind, long grown, int most) {
        return """
                , "piles": [{"kind": "%s", "module": "__main__", "name": "%s", "attribute": "%s", "rest": "", "file": "/app/job.py",
                "function": "", "most": %d, "items": 50, "grown": 40, "rises": 3, "holds": "dict", "bytes": {"%s": %d}}]
                """.formatted(owner, name, attribute, most, kind, grown).replace("\n", " ");
    }

    private void looks(int count, String kind, IntToLongFunction bytes, String more) {
        for (int second = 0; second < count; second++) {
            rows.add(row(second, kind, bytes.applyAsLong(second), second == 0 ? "" : more));
        }
    }

    private void levels(int count, IntToLongFunction used) {
        for (int number = 0; number < count; number++) {
            rows.add("{\"time_us\": %d, \"pid\": 77, \"levels\": {\"used\": %d, \"anonymous\": 9}}\n"
                    .formatted(number * MB / 4, used.applyAsLong(number)));
        }
    }

    private Optional<JobProcess> read() throws IOException {
        byte[] bytes = String.join("", rows).getBytes(StandardCharsets.UTF_8);
        try {
            Source source = Source.of(new ByteArrayInputStream(bytes), ReadLimits.DEFAULT);
            Content.Looks read = (Content.Looks) new LookFormat().read(source);
            return HostAnalysis.of(
                    read.looks(), read.levels(), frame -> frame.file().equals("/app/job.py") ? SOURCE : "");
        } catch (ReadException e) {
            return Optional.empty();
        }
    }

    private HostMemory host() throws IOException {
        return read().orElseThrow().hostMemory();
    }

    @Test
    void whatGrowsToTheEndLeaksAndItsCollectionIsNamedWithTheLineThatAddsToIt() throws IOException {
        looks(8, "host_tensors", s -> 3 * MB * s, pile("class", "Uploader", "sent", "host_tensors", 20 * MB, 0));
        HostMemory host = host();
        assertThat(host.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(host.kind()).isEqualTo(Kind.HOST_TENSORS);
        assertThat(host.state()).isEqualTo(State.LIVE);
        assertThat(host.owner()).isEqualTo("Uploader.sent");
        assertThat(host.site()).isEqualTo(new Frame("/app/job.py", 9, ""));
        assertThat(host.sentence())
                .isEqualTo(
                        "the host's memory leaks: CPU tensors grow by 2.86 MiB per second; kept by Uploader.sent (job.py:9):"
                                + " 50 items, 40 of them new since the first look");
        Part part = host.parts().get(1);
        assertThat(part.growthPerSecond()).isEqualTo(3e6);
        assertThat(part.growthPerStep()).isEqualTo(3e5);
        assertThat(host.bytes()).isEqualTo(221 * MB);
        assertThat(host.unexplained())
                .isEqualTo(host.bytes()
                        - host.parts().stream().mapToLong(Part::bytes).sum());
    }

    /** A cache that is full drops as much as it takes: the last look does not name it any more. */
    @Test
    void aCollectionThatHasShrunkSinceKeepsNoGrowth() throws IOException {
        looks(8, "python_objects", s -> 3 * MB * s, pile("class", "Uploader", "sent", "python_objects", 20 * MB, 0));
        rows.add(row(8, "python_objects", 24 * MB, ", \"piles\": []"));
        HostMemory host = host();
        assertThat(host.verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(host.owner()).isNull();
    }

    @Test
    void aVariableOfAModuleIsAnOwnerAsWell() throws IOException {
        looks(8, "python_objects", s -> 3 * MB * s, pile("module", "", "history", "python_objects", 20 * MB, 0));
        assertThat(host().owner()).isEqualTo("history");
        assertThat(host().site()).isEqualTo(new Frame("/app/job.py", 18, ""));
    }

    @Test
    void memoryOfNativeCodeLeaksWithoutAnOwner() throws IOException {
        looks(8, "native_live", s -> 2 * MB * s, "");
        assertThat(host().verdict()).isEqualTo(Verdict.LEAK);
        assertThat(host().sentence()).contains("memory of C and C++ code grows by", "no Python object has it");
    }

    private static String calls(long lost, String more) {
        return """
                , "natives": [{"library": "libfast.so", "function": "", "frames": [["/v/site-packages/fast/api.py", 3, "encode"],
                ["/app/job.py", 9, "Uploader.send"]], "bytes": %d}, {"library": "libtorch_cpu.so", "function": "at::empty", "frames": [],
                "bytes": 90000000}]%s
                """.formatted(lost, more).replace("\n", " ");
    }

    @Test
    void theCallOfNativeCodeThatAllocatesIsNamedWithTheUsersLine() throws IOException {
        for (int second = 0; second < 8; second++) {
            rows.add(row(second, "native_live", 2 * MB * second, calls(5 * MB + 2 * MB * second, "")));
        }
        assertThat(host().allocator())
                .isEqualTo(new NativeCall("libfast.so", null, new Frame("/app/job.py", 9, "Uploader.send"), 14 * MB));
        assertThat(host().site()).isEqualTo(new Frame("/app/job.py", 9, "Uploader.send"));
        assertThat(host().sentence()).endsWith("; allocated by libfast.so, called at job.py:9");
    }

    @Test
    void theLineIsNamedWhereNoFunctionThatItCallsAllocatesMost() throws IOException {
        for (int second = 0; second < 8; second++) {
            List<String> parts = new ArrayList<>();
            for (int number = 0; number < 8; number++) {
                parts.add("""
                        {"library": "libtok.so", "function": "grow<%d>", "frames": [["/app/job.py", 9, "encode"]], "bytes": %d}
                        """.formatted(number, second * MB / 4).strip());
            }
            rows.add(row(second, "native_live", 2 * MB * second, ", \"natives\": [" + String.join(", ", parts) + "]"));
        }
        assertThat(host().sentence()).endsWith("; allocated by libtok.so, called at job.py:9");
    }

    @Test
    void aCallThatDoesNotGrowIsNotNamed() throws IOException {
        for (int second = 0; second < 8; second++) {
            rows.add(row(second, "native_live", 2 * MB * second, calls(5 * MB, "")));
        }
        assertThat(host().allocator()).isNull();
        assertThat(host().advice())
                .containsExactly("let it run, and look at it, for longer: no call was seen that allocates most of it");
    }

    @Test
    void whySamplingFailedIsSaid() throws IOException {
        looks(8, "native_live", s -> 2 * MB * s, ", \"native_trouble\": \"OSError: no\"");
        assertThat(host().advice()).containsExactly("the sampler of native calls could not be used: OSError: no");
    }

    /** Between two collections garbage rises like a leak, in what free objects gave up. */
    @Test
    void whatNoCollectionKeepsLeaksOnlyIfItOutlivesTheCollector() throws IOException {
        looks(8, "python_objects", s -> 3 * MB * s, "");
        assertThat(host().verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(host().sentence()).contains("Python objects grow by 2.86 MiB per second", "may be garbage");
        assertThat(host().advice()).singleElement().asString().contains("gc.collect()");
        collected(32, 40 * MB, 0, 8);
        assertThat(host().verdict()).isEqualTo(Verdict.UNDETERMINED);
        rows.subList(8, rows.size()).clear();
        collected(32, 40 * MB, MB, 8);
        assertThat(host().verdict()).isEqualTo(Verdict.LEAK);
        rows.subList(8, rows.size()).clear();
        collected(32, 40 * MB, MB, 100);
        assertThat(host().verdict()).isEqualTo(Verdict.UNDETERMINED);
    }

    private void collected(int count, long anonymous, long growth, int period) {
        for (int number = 0; number < count; number++) {
            rows.add(
                    "{\"time_us\": %d, \"pid\": 77, \"levels\": {\"used\": %d, \"anonymous\": %d, \"collections\": %d}}\n"
                            .formatted(number * MB / 4, number * MB, anonymous + growth * number, number / period));
        }
    }

    /** Objects of imports between the first two looks, tensors all along. */
    @Test
    void whatImportsBroughtIsNotWhatGrows() throws IOException {
        long[] objects = {82, 128, 128};
        for (int look = 0; look < 3; look++) {
            rows.add(row(
                            8 * look,
                            "host_tensors",
                            20 * MB * look,
                            pile("class", "Uploader", "sent", "host_tensors", 40 * MB, 0))
                    .replace("\"python_objects\": 150000000", "\"python_objects\": " + objects[look] * MB));
        }
        levels(64, number -> 50 * MB + number * MB * 5 / 8);
        assertThat(host().kind()).isEqualTo(Kind.HOST_TENSORS);
        assertThat(host().owner()).isEqualTo("Uploader.sent");
    }

    @Test
    void whatIsInUseGrowsBetweenLooksThatAreTooFewToSayWhatItIs() throws IOException {
        looks(1, "native_live", s -> 5 * MB, "");
        levels(24, number -> 50 * MB + number * MB / 2);
        assertThat(host().verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(host().growthPerSecond()).isEqualTo(2e6);
        assertThat(host().sentence()).contains("what is in use grows by 1.91 MiB per second, but 1 look");
    }

    @Test
    void whatGrowsSlowlyToTheEndIsNotAcquitted() throws IOException {
        looks(6, "native_live", s -> 5 * MB, "");
        levels(24, number -> 50 * MB + number * 17_000L / 4);
        assertThat(host().verdict()).isEqualTo(Verdict.NO_LEAK);
        rows.clear();
        looks(12, "native_live", s -> 5 * MB, "");
        levels(48, number -> 50 * MB + number * 17_000L / 4);
        assertThat(host().verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(host().sentence())
                .endsWith(
                        "what is in use grows by 16.6 KiB per second, but too little in the time to say for what: look for longer");
    }

    @Test
    void aProcessThatIsTooLargeToLookIntoIsNotJudgedByWhatItsMapsHold() throws IOException {
        looks(
                6,
                "anonymous_maps",
                s -> 5 * MB * s,
                ", \"coarse\": true, \"remark\": \"only the system was asked: why\"");
        rows.removeFirst();
        assertThat(host().verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(host().sentence())
                .endsWith(
                        "anonymous mappings grow by 4.77 MiB per second, free or in use; only the system was asked: why");
    }

    @Test
    void aChildThatLivesAndGrowsIsNamed() throws IOException {
        for (int second = 0; second < 8; second++) {
            rows.add(row(
                    second,
                    "native_live",
                    5,
                    ", \"children\": {\"count\": 1, \"alone\": %d, \"named\": [{\"pid\": 312, \"name\": \"python\", \"bytes\": %d}]}"
                            .formatted(4 * MB * second, 9 * MB + 4 * MB * second)));
        }
        assertThat(host().verdict()).isEqualTo(Verdict.LEAK);
        assertThat(host().advice()).singleElement().asString().startsWith("bound what process 312 keeps");
        rows.replaceAll(row -> row.replace("312", "3" + rows.indexOf(row)));
        assertThat(host().advice()).singleElement().asString().startsWith("wait for the processes");
    }

    /** It is printed by each command that looks at a process, so that any of them would be told to do what was done. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void noAdviceNamesACommand(Kind kind) throws IOException {
        looks(8, kind.name().toLowerCase(Locale.ROOT), s -> 3 * MB * s, "");
        assertThat(host().advice()).noneMatch(advice -> advice.contains("leakline "));
    }

    @Test
    void aKnownLeakOfTheVersionInUseIsSaid() throws IOException {
        String found = ", \"versions\": {\"flashinfer\": \"0.3.1\"}"
                + pile("memo", "_find_nearest_profile", "_find_nearest_profile", "python_objects", 20 * MB, 0);
        looks(8, "python_objects", s -> 3 * MB * s, found);
        assertThat(host().advice().getFirst())
                .startsWith("this looks like a known leak of flashinfer: ")
                .endsWith("https://github.com/flashinfer-ai/flashinfer/issues/2139");
        rows.replaceAll(row -> row.replace("flashinfer", "other"));
        assertThat(host().advice()).noneMatch(advice -> advice.contains("known leak"));
    }

    @Test
    void whatPyTorchRecordsHasABound() throws IOException {
        looks(8, "history", s -> 3 * MB * s, "");
        assertThat(host().verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(host().sentence()).contains("as many events as were requested");
    }

    @Test
    void whatWasTriedIsSaidWithWhatCameBack() throws IOException {
        looks(8, "pinned_cached", s -> 3 * MB * s, "");
        rows.add("{\"time_us\": 9000000, \"pid\": 77, \"steps\": 90, \"levels\": {\"try_gc.collect\": 0}}\n");
        assertThat(host().experiments()).containsExactly(new Experiment("gc.collect", 0));
        assertThat(host().verdict()).isEqualTo(Verdict.CACHED);
    }

    @Test
    void twoLooksSayWhatGrewAndTheLevelsBetweenThemThatItGrows() throws IOException {
        rows.add(row(0, "native_live", 0, ""));
        rows.add(row(5, "native_live", 10 * MB, ""));
        assertThat(host().verdict()).isEqualTo(Verdict.UNDETERMINED);
        levels(24, number -> 50 * MB + number * MB / 2);
        assertThat(host().verdict()).isEqualTo(Verdict.LEAK);
    }

    @Test
    void whatComesInEventsGrowsThoughItStandsStillInTheMiddle() throws IOException {
        for (int look = 0; look < 2; look++) {
            rows.add(
                    "{\"time_us\": %d, \"pid\": 77, \"steps\": -1, \"resident\": 150000000, \"parts\": {\"python_objects\": 150000000}, \"children\": {\"alone\": %d}}\n"
                            .formatted(7 * MB * look, 60 * MB * (look + 1)));
        }
        for (int number = 0; number < 48; number++) {
            rows.add("{\"time_us\": %d, \"pid\": 77, \"levels\": {\"used\": 1, \"alone\": %d}}\n"
                    .formatted(number * MB / 4, 60 * MB + 15 * MB * (number / 7)));
        }
        assertThat(host().verdict()).isEqualTo(Verdict.LEAK);
        assertThat(host().kind()).isEqualTo(Kind.CHILDREN);
    }

    @Test
    void whatAFunctionFreesWhenItReturnsAtTheEndGrewUpToThere() throws IOException {
        rows.add(row(0, "native_live", 0, ""));
        rows.add(row(5, "native_live", 10 * MB, ""));
        levels(24, number -> number == 23 ? 50 * MB : 50 * MB + number * MB / 2);
        assertThat(host().verdict()).isEqualTo(Verdict.LEAK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"malloc_free", "python_free", "pinned_cached", "file"})
    void whatIsFreeIsCached(String kind) throws IOException {
        looks(8, kind, s -> 4 * MB * s, "");
        assertThat(host().verdict()).isEqualTo(Verdict.CACHED);
        assertThat(host().state()).isEqualTo(State.CACHED);
        assertThat(host().advice()).isNotEmpty();
    }

    @Test
    void aLeakCountsMoreThanWhatIsCachedBesideIt() throws IOException {
        for (int second = 0; second < 8; second++) {
            rows.add(row(second, "native_live", 2 * MB * second, "")
                    .replace("}}", "}, \"x\": 1}")
                    .replace("\"native_live\"", "\"malloc_free\": " + 9 * MB * second + ", \"native_live\""));
        }
        assertThat(host().verdict()).isEqualTo(Verdict.LEAK);
        assertThat(host().kind()).isEqualTo(Kind.NATIVE_LIVE);
    }

    @Test
    void whatHasABoundDoesNotLeak() throws IOException {
        looks(8, "python_objects", s -> 3 * MB * s, pile("memo", "1", "prepared", "python_objects", 20 * MB, 3600));
        assertThat(host().verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(host().sentence()).contains("grows up to a bound", "prepared", "keeps 3,600 at most");
    }

    @Test
    void whatTheSourceBoundsDoesNotLeak() throws IOException {
        looks(8, "pinned_live", s -> 3 * MB * s, pile("class", "Uploader", "slots", "pinned_live", 20 * MB, 0));
        assertThat(host().verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(host().site()).isEqualTo(new Frame("/app/job.py", 13, ""));
        assertThat(host().sentence()).contains("only below a limit");
    }

    @Test
    void wavesDoNotLeak() throws IOException {
        looks(9, "host_tensors", s -> s % 3 == 2 ? 80 * MB : 40 * MB, "");
        assertThat(host().verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(host().kind()).isNull();
    }

    @Test
    void whatWavesOfUseLeaveFreeIsCached() throws IOException {
        long[] used = {4, 4, 4, 4, 11, 11, 17, 4, 14};
        long[] free = {3, 3, 4, 6, 1, 5, 2, 19, 10};
        for (int second = 0; second < used.length; second++) {
            rows.add("""
                    {"time_us": %d, "pid": 77, "steps": %d, "resident": %d, "parts": {"python_objects": %d, "python_free": %d}}
                    """.formatted(
                            second * MB,
                            second,
                            (30 + used[second] + free[second]) * MB,
                            used[second] * MB,
                            free[second] * MB));
        }
        assertThat(host().verdict()).isEqualTo(Verdict.CACHED);
        assertThat(host().kind()).isEqualTo(Kind.PYTHON_FREE);
    }

    @Test
    void aLoadThatEndsDoesNotLeak() throws IOException {
        looks(12, "host_tensors", s -> 20L * Math.min(s, 3) * MB, "");
        assertThat(host().verdict()).isNotEqualTo(Verdict.LEAK);
    }

    @Test
    void pagesThatForkedWorkersCopyDoNotLeak() throws IOException {
        for (int second = 0; second < 8; second++) {
            rows.add(row(
                    second,
                    "native_live",
                    5,
                    ", \"children\": {\"count\": 2, \"alone\": 1, \"copied\": " + 4 * MB * second
                            + ", \"named\": [{\"pid\": 3}]}"));
        }
        assertThat(host().verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(host().kind()).isEqualTo(Kind.COPY_ON_WRITE);
        assertThat(host().bytes()).isEqualTo(200 * MB + 5 + 28 * MB);
    }

    @Test
    void oneLookSaysWhatMemoryIsUsedForAndNothingOfGrowth() throws IOException {
        looks(1, "native_live", s -> 5 * MB, "");
        assertThat(host().verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(host().sentence())
                .isEqualTo("whether the host's memory grows is undetermined: 1 look in the time, which is too few");
        assertThat(host().parts()).extracting(Part::kind).containsExactly(Kind.PYTHON_OBJECTS, Kind.NATIVE_LIVE);
    }

    @Test
    void aRowThatWasCutIsLeftOut() throws IOException {
        looks(8, "native_live", s -> 2 * MB * s, "");
        rows.add("{\"time_us\": 9000000, \"resident\": 5, \"parts\": {\"native_l");
        assertThat(host().verdict()).isEqualTo(Verdict.LEAK);
        assertThat(host().looks()).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "7",
                "{}",
                "{\"parts\": 5, \"resident\": 9}",
                "{\"parts\": {\"file\": \"x\"}, \"resident\": {}}",
                "{\"parts\": {\"file\": 1e300}, \"resident\": -5, \"children\": [1], \"piles\": {}, \"levels\": []}",
                "{\"parts\": {\"file\": 1e300}, \"resident\": 1e300, \"time_us\": 1e300, \"piles\": [[], 5, {\"bytes\": 3, \"name\": {}}]}",
                "{\"parts\": {\"file\": NaN}, \"resident\": NaN}",
                "\u0000\u0001"
            })
    void hostileRowsAreReadOrLeftOut(String text) throws IOException {
        for (int i = 0; i < 5; i++) {
            rows.add(text + "\n");
        }
        assertThat(read().map(process -> process.hostMemory().verdict()).orElse(Verdict.UNDETERMINED))
                .isNotEqualTo(Verdict.LEAK);
    }
}
