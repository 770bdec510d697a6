package dev.leakline.join;

import static dev.leakline.FigureFiles.analyse;
import static dev.leakline.FigureFiles.file;
import static dev.leakline.FigureFiles.steps;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Sources;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Basis;
import dev.leakline.testkit.holders.HolderDumpBuilder;
import dev.leakline.testkit.holders.Item;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs without memory history: the allocator's counters grow, and dumps show what does. */
class GrownHoldersTest {
    private static final int STEPS = 300;
    private static final long SIZE = 96 << 10;
    private static final List<Integer> DUMPED = List.of(32, 48, STEPS);
    private static final String FILE = "train.py-7.counters.jsonl";

    @Test
    void whoHoldsWhatGrowsIsNamed() throws IOException {
        AnalysisResult result = train(FILE, dumps(7, SIZE));
        Finding leak = result.findings().getFirst();
        assertThat(result.reason())
                .isEqualTo("allocated memory grows by 96.0 KiB per step, 27.7 MiB so far; held by kept of running call"
                        + " of train (train.py:6)");
        assertThat(leak.holders()).hasSize(1);
        assertThat(leak.holders().getFirst().bytes()).isEqualTo(STEPS * SIZE);
        assertThat(leak.explanation()).isNotNull();
        assertThat(leak.explanation().basis()).isEqualTo(Basis.DUMP);
        assertThat(leak.advice().getFirst().action()).contains("kept");
    }

    @Test
    void theLineThatAddsToItIsFoundInTheSource(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("train.py"),
                "import model\n\ndef train():\n    kept = []\n    for x in model.batches():\n        kept.append(x)\n    print(sum(kept))\n");
        AnalysisResult result = Sources.of(List.of(folder)).attach(train(FILE, dumps(7, SIZE)));
        Finding leak = result.findings().getFirst();
        assertThat(leak.explanation()).isNotNull();
        assertThat(leak.explanation().text()).endsWith("train.py:6 adds to it: kept.append(x)");
        assertThat(leak.advice().getFirst().patch())
                .contains(
                        "+        kept.append(torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), x))");
    }

    @Test
    void whatGrowsMuchSlowerThanTheFigureIsNotNamed() throws IOException {
        assertThat(train(FILE, dumps(7, SIZE / 4)).findings().getFirst().holders())
                .isEmpty();
    }

    @Test
    void aSingleDumpShowsNoGrowth() throws IOException {
        assertThat(train(FILE, List.of(dump(7, STEPS, SIZE)))
                        .findings()
                        .getFirst()
                        .holders())
                .isEmpty();
    }

    @Test
    void ofTwoProcessesTheOneWhoseNumberTheFileHasIsNamed() throws IOException {
        List<HolderDump> both =
                Stream.concat(dumps(7, SIZE).stream(), dumps(8, SIZE).stream()).toList();
        assertThat(train("figures.jsonl", both).findings().getFirst().holders()).isEmpty();
        Finding leak = train(FILE, both).findings().getFirst();
        assertThat(leak.holders()).hasSize(1);
        assertThat(leak.holders().getFirst().input()).isEqualTo(DUMPED.size());
    }

    private static AnalysisResult train(String name, List<HolderDump> dumps) {
        List<Input> inputs = new ArrayList<>(dumps);
        inputs.addFirst(file(name, steps(Quantity.ALLOCATED, STEPS, step -> step * SIZE)));
        return analyse(inputs.toArray(Input[]::new));
    }

    private static List<HolderDump> dumps(int process, long size) throws IOException {
        List<HolderDump> dumps = new ArrayList<>();
        for (int step : DUMPED) {
            dumps.add(dump(process, step, size));
        }
        return dumps;
    }

    private static HolderDump dump(int process, int step, long size) throws IOException {
        HolderDumpBuilder dump = new HolderDumpBuilder()
                .header("step", String.valueOf(step))
                .header("pid", String.valueOf(process))
                .header("time_us", String.valueOf(1_000_000L * step));
        Item[] kept = IntStream.range(0, step)
                .mapToObj(i -> dump.view("[96, 256]", dump.storage(size, 4096 + i, -1)))
                .toArray(Item[]::new);
        dump.running("train (train.py:6)").local("kept", dump.list(kept.length).items(kept));
        return HolderDump.read(process + "-" + step + ".holders", new ByteArrayInputStream(dump.write()));
    }
}
