package dev.leakline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Ranks;
import dev.leakline.Repository;
import dev.leakline.Snapshot;
import dev.leakline.codec.Codec;
import dev.leakline.compare.Comparer;
import dev.leakline.read.dump.MadeUpDump;
import dev.leakline.report.diff.DiffPage;
import dev.leakline.report.html.RanksPage;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison.Side;
import dev.leakline.result.Holders;
import dev.leakline.source.ReadException;
import dev.leakline.testkit.Fuzzing;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Files as they are dropped on the page for browsers, small and changed: each is judged with the others, or refused with a {@link ReadException}, by the calls
 * that the page makes. Recordings and dumps are made up, so that most of what is changed is read.
 */
class DoorFuzzTest {
    private static final List<String> PIECES = List.of(
            "0",
            "-1",
            "1e999",
            "99999999999999999999",
            "\"",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\n",
            "null",
            "\0",
            "GiB",
            "CUDA out of memory",
            "\u001b[31m",
            "\ud83d");
    private static final long MB = 1 << 20;
    /** Only small seeds are read: what is large is read slowly, and what is small has the same parts. Texts have fuzzers of their own. */
    private static final long SMALL = 1_000;
    /** Characters of a part of a text. */
    private static final int PART = 300;

    @Test
    void droppedFilesAreJudgedOrRefused() throws IOException {
        List<byte[]> seeds = seeds();
        int[] judged = new int[1];
        Fuzzing.runs(500, random -> {
            List<Input> inputs = new ArrayList<>();
            for (int files = random.nextInt(4) == 0 ? 2 : 1; files > 0; files--) {
                String name = List.of("a.pickle", "b_rank1.pickle", "c.json", "d.log", "e.holders")
                        .get(random.nextInt(5));
                byte[] file = file(seeds, random);
                try {
                    inputs.add(Input.open(InputSource.of(name, () -> new ByteArrayInputStream(file)), Demand.EVIDENCE));
                } catch (ReadException e) {
                    // as the page says
                }
            }
            if (!inputs.isEmpty()) {
                judged[0]++;
                judge(inputs, random);
            }
        });
        assertThat(judged[0]).as("files that were read").isPositive();
    }

    private static List<byte[]> seeds() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Repository.root().resolve("report/src/test/resources/dev"))) {
            for (Path file : files.sorted().toList()) {
                if (Files.isRegularFile(file)
                        && Files.size(file) < SMALL
                        && file.toString().contains("FuzzTestInputs")) {
                    seeds.add(Files.readAllBytes(file));
                }
            }
        }
        seeds.add(Files.readAllBytes(Repository.root().resolve("examples/oom.log")));
        for (int i = 0; i < seeds.size() / 2; i++) {
            SnapshotBuilder small = SnapshotBuilder.snapshot()
                    .repeat(
                            3 + i % 9,
                            (s, step) -> s.alloc("kept" + step, 2 * MB, "train.py:7 train")
                                    .alloc("x", MB, "train.py:9 train")
                                    .free("x", "train.py:9 train"));
            seeds.add(small.write(i % 3 == 0 ? Dialect.JSON : Dialect.PROTOCOL_4));
        }
        return seeds;
    }

    private static byte[] file(List<byte[]> seeds, RandomGenerator random) {
        if (random.nextInt(8) == 0) {
            byte[] choices = new byte[random.nextInt(300)];
            random.nextBytes(choices);
            return MadeUpDump.of(ByteBuffer.wrap(choices));
        }
        byte[] seed = seeds.get(random.nextInt(seeds.size()));
        if (seed.length > 0 && seed[0] > 0 && random.nextInt(4) > 0) {
            int from = random.nextBoolean() ? 0 : random.nextInt(seed.length);
            int length = Math.min(seed.length - from, random.nextInt(PART));
            String part = new String(seed, from, length, StandardCharsets.UTF_8);
            return Fuzzing.changed(part, PIECES, random).getBytes(StandardCharsets.UTF_8);
        }
        byte[] file = seed.clone();
        for (int changes = random.nextInt(4); changes > 0 && file.length > 0; changes--) {
            file[random.nextInt(file.length)] = (byte) random.nextInt(256);
        }
        return file;
    }

    /** Whatever the page makes of files: a judgement as JSON, text and page, a comparison, one of ranks. */
    private static void judge(List<Input> inputs, RandomGenerator random) throws IOException {
        StringWriter out = new StringWriter();
        if (inputs.stream().allMatch(HolderDump.class::isInstance)) {
            Holders holders = HolderDump.explain(
                    inputs.stream().map(HolderDump.class::cast).toList());
            Codec.write(holders, out);
            isPrintable(HoldersText.of(holders, 20, new Style(80, false, true)));
            return;
        }
        AnalysisResult result = Analysis.run(inputs, Analysis.Options.ALL);
        if (random.nextInt(4) == 0) {
            isPrintable(WholeWay.report(result));
        }
        if (inputs.stream().allMatch(Snapshot.class::isInstance) && random.nextInt(8) == 0) {
            var ranks = inputs.stream()
                    .map(input -> Ranks.summarize((Snapshot) input, "rank"))
                    .toList();
            RanksPage.write(Ranks.compare(Ranks.job(ranks, List.of()), 0), Map.of(), out);
        }
        if (inputs.size() == 2 && random.nextInt(8) == 0) {
            Side before = new Side("a", Analysis.run(inputs.subList(0, 1), Analysis.Options.ALL));
            DiffPage.write(Comparer.compare(before, new Side("b", result)), DiffPage.LINES, out);
        }
    }

    private static void isPrintable(String text) {
        assertThat(text.chars().anyMatch(c -> c == '\u001b' || c == 7)).isFalse();
    }
}
