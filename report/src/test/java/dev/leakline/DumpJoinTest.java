package dev.leakline;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Input.Demand;
import dev.leakline.objects.StorageColumns;
import dev.leakline.report.HoldersText;
import dev.leakline.report.TextReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.KeptAt;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Holders;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.JoinedDump.Held;
import dev.leakline.testkit.holders.HolderDumpBuilder;
import dev.leakline.testkit.holders.Item;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which storage is which block, when a dump was made, and whose it is. */
class DumpJoinTest {
    private static final long KEPT = 3_145_728;
    private static final long WEIGHTS = 7_340_032;
    private static final int STEPS = 40;
    private static final String[] MAIN = {"main.py:5 main"};
    private static final String[] LOSS = {"train.py:41 train", "main.py:5 main"};
    private static final String[] BATCH = {"train.py:39 train", "main.py:5 main"};

    private final SnapshotBuilder recording = snapshot();
    private final List<Long> kept = new ArrayList<>();

    @Test
    void theFindingIsHeldByTheListThatItsBlocksAreIn() throws IOException {
        train(STEPS);
        Finding leak = analyse(dump(STEPS)).findings().getFirst();
        assertThat(leak.site().frame().line()).isEqualTo(41);
        FindingHolder holder = leak.holders().getFirst();
        assertThat(holder.title()).isEqualTo("losses of module train");
        assertThat(holder.findingBlocks()).isEqualTo(STEPS);
        assertThat(holder.findingBytes()).isEqualTo(STEPS * KEPT);
        assertThat(leak.advice().getFirst().action()).startsWith("Bound losses");
    }

    @Test
    void whatNoFindingIsAboutIsTheRest() throws IOException {
        train(STEPS);
        JoinedDump joined = analyse(dump(STEPS)).dumps().getFirst();
        assertThat(joined.snapshot()).isZero();
        assertThat(joined.storages()).isEqualTo(joined.matched()).isEqualTo(STEPS + 1);
        assertThat(joined.rest()).singleElement().satisfies(held -> {
            assertThat(held.title()).isEqualTo("weights of module train");
            assertThat(held.bytes()).isEqualTo(WEIGHTS);
            assertThat(held.site()).isNotNull();
            assertThat(held.site().frame().fileName()).isEqualTo("main.py");
        });
        assertThat(joined.notes()).isEmpty();
    }

    /** A function returns and all that leaked is gone; the dump was made before. */
    @Test
    void aDumpFromTheMiddleIsJoinedWithWhatWasLiveThen() throws IOException {
        train(STEPS);
        byte[] dump = dump(STEPS);
        IntStream.range(0, STEPS).forEach(i -> recording.free("kept" + i, MAIN));
        AnalysisResult result = analyse(dump);
        assertThat(result.findings().getFirst().holders()).hasSize(1);
        assertThat(result.dumps().getFirst().matched()).isEqualTo(STEPS + 1);
    }

    @Test
    void nothingThatIsLeftOfALeakIsSaidToBeGone() throws IOException {
        train(STEPS);
        IntStream.range(0, STEPS).forEach(i -> recording.free("kept" + i, MAIN));
        kept.clear();
        AnalysisResult result = analyse(dump(0));
        assertThat(result.findings().getFirst().holders()).isEmpty();
        assertThat(result.dumps().getFirst().notes())
                .singleElement()
                .asString()
                .startsWith("Nothing that train.py:41 allocated was live when the dump was written. Take a dump while");
    }

    @Test
    void aDumpOfAnotherProcessIsNotJoinedAndSaysSo() throws IOException {
        train(STEPS);
        AnalysisResult result = analyse(dump(STEPS, address -> address + (1L << 30)));
        assertThat(result.findings().getFirst().holders()).isEmpty();
        JoinedDump joined = result.dumps().getFirst();
        assertThat(joined.snapshot()).isNull();
        assertThat(joined.rest()).isEmpty();
        assertThat(joined.notes())
                .containsExactly(
                        "not joined: at most 0 of its 41 storages were live in the snapshot at the same time: the"
                                + " dump is from another process, or from a time that is not recorded");
        assertThat(text(result)).contains("b.holders: not joined: at most 0 of its 41 storages");
    }

    @Test
    void placesWithOtherSizesAreOtherMemory() throws IOException {
        train(STEPS);
        HolderDumpBuilder dump = new HolderDumpBuilder();
        Item losses = dump.list(STEPS);
        IntStream.range(0, STEPS)
                .forEach(i -> losses.item(i, dump.view("[]", dump.storage(KEPT / 2, kept.get(i) >> 4, -1))));
        dump.module("train").key("losses", losses);
        assertThat(analyse(dump.write()).dumps().getFirst().matched()).isZero();
    }

    @Test
    void storagesThatWereNoBlocksThenAreCounted() throws IOException {
        train(STEPS);
        AnalysisResult result = analyse(dump(STEPS, address -> address % 7 == 0 ? address + (1L << 30) : address));
        JoinedDump joined = result.dumps().getFirst();
        int missing = joined.storages() - joined.matched();
        assertThat(missing).isBetween(3, 20);
        assertThat(joined.notes())
                .contains(missing + " storages of the dump were not live at the same time as the others: the dump was"
                        + " taken at a moment that the snapshot does not record");
        assertThat(result.findings().getFirst().holders()).hasSize(1);
    }

    @Test
    void ofSeveralRanksEachGetsItsOwnDump() throws IOException {
        train(STEPS);
        byte[] dump = dump(STEPS);
        DumpJoinTest other = new DumpJoinTest();
        other.recording.alloc("first", 54_321_000, MAIN);
        other.train(STEPS);
        byte[] otherDump = otherProcess(other.dump(STEPS));
        AnalysisResult result = Analysis.run(
                List.of(
                        input("o.holders", otherDump),
                        other.snapshotInput(),
                        snapshotInput(),
                        input("d.holders", dump)),
                Analysis.Options.ALL);
        assertThat(result.dumps()).extracting(JoinedDump::snapshot).containsExactly(1, 2);
        assertThat(result.findings())
                .allSatisfy(finding ->
                        assertThat(finding.holders().getFirst().input()).isEqualTo(finding.input() == 1 ? 0 : 3));
        assertThat(text(result)).contains("d.holders and a.pickle: 41 of 41 storages are blocks of the snapshot");
    }

    @Test
    void aDumpForWhichNoSnapshotIsLeftSaysSo() throws IOException {
        train(STEPS);
        byte[] stranger = dump(STEPS, address -> address + (1L << 30));
        AnalysisResult result = Analysis.run(
                List.of(snapshotInput(), input("b.holders", dump(STEPS)), input("c.holders", otherProcess(stranger))),
                Analysis.Options.ALL);
        assertThat(result.dumps()).extracting(JoinedDump::snapshot).containsExactly(0, null);
        assertThat(result.dumps().getLast().notes())
                .containsExactly("not joined: no snapshot of the same process was given");
    }

    @Test
    void twoDumpsOfOneProcessShowWhatGrew() throws IOException {
        train(STEPS);
        AnalysisResult result = Analysis.run(
                List.of(snapshotInput(), input("late", dump(STEPS)), input("early", dump(STEPS / 2))),
                Analysis.Options.ALL);
        FindingHolder holder = result.findings().getFirst().holders().getFirst();
        assertThat(holder.input()).isEqualTo(1);
        assertThat(holder.growth()).isNotNull();
        assertThat(holder.growth().newStorages()).isEqualTo(STEPS / 2);
        assertThat(text(result))
                .contains("grew     60.0 MiB, 120 MiB from dump to dump; items 20, 40; 20 new storages");
        assertThat(result.dumps())
                .singleElement()
                .satisfies(joined -> assertThat(joined.inputs()).hasToString("[2, 1]"));
    }

    @Test
    void aDumpOfTheHostsTensorsHasNothingOnTheDevice() throws IOException {
        train(STEPS);
        HolderDumpBuilder dump = new HolderDumpBuilder();
        dump.module("train").key("x", dump.view("[]", dump.storage(StorageColumns.HOST, KEPT, 1 << 20, -1)));
        assertThat(analyse(dump.write()).dumps().getFirst().notes())
                .containsExactly(
                        "not joined: its tensors are not on a device of the snapshot; leakline run --target chooses the device type");
    }

    @Test
    void aDumpOfAProcessThatHasLetGoOfAllSaysSo() throws IOException {
        train(STEPS);
        HolderDumpBuilder dump = new HolderDumpBuilder();
        dump.module("train").key("x", dump.object("Thing"));
        assertThat(analyse(dump.write()).dumps().getFirst().notes())
                .singleElement()
                .asString()
                .startsWith(
                        "not joined: no tensor was left on a device when it was written. To see who held the memory, take a dump while");
    }

    /** Functions return at the exit, and with them goes what they kept: then the dump before that tells who did. */
    @Test
    void aDumpOfTheTimeAfterDoesNotTakeThePlaceOfOneThatTells() throws IOException {
        train(STEPS);
        byte[] during = dump(STEPS);
        AnalysisResult result = Analysis.run(
                List.of(
                        snapshotInput(),
                        input("exit", dump(0, STEPS + 1, LongUnaryOperator.identity())),
                        input("growth", during)),
                Analysis.Options.ALL);
        FindingHolder holder = result.findings().getFirst().holders().getFirst();
        assertThat(holder.input()).isEqualTo(2);
        assertThat(holder.title()).isEqualTo("losses of module train");
        assertThat(text(result))
                .contains(
                        ": 41 of 41 storages are blocks of the snapshot;",
                        "exit: not joined: an earlier dump says more; since then functions had returned, or most memory was");
    }

    /** What a function kept may live on at the exit, under another name or in a cycle: the dump of when it ran tells who did. */
    @Test
    void aDumpFromTheExitDoesNotOutrankOneOfWhenFunctionsRan() throws IOException {
        train(STEPS);
        HolderDumpBuilder during = new HolderDumpBuilder().header("time_us", "1700000060000040");
        during.running("fit (train.py:41)").local("losses", losses(during));
        HolderDumpBuilder exit =
                new HolderDumpBuilder().header("time_us", "1700000060000041").header("reason", "\"exit\"");
        exit.module("left").key("over", losses(exit));
        AnalysisResult result = Analysis.run(
                List.of(snapshotInput(), input("growth", during.write()), input("exit", exit.write())),
                Analysis.Options.ALL);
        FindingHolder holder = result.findings().getFirst().holders().getFirst();
        assertThat(holder.title()).isEqualTo("losses of running call of fit (train.py:41)");
    }

    /** A model that refers to itself is garbage once its function has returned; while functions run, it is stuck. */
    @Test
    void aCycleThatIsLeftAtTheExitIsNotStuck() throws IOException {
        train(STEPS);
        assertThat(ofCycle("exit").verdict()).isEqualTo(Holders.Verdict.UNKNOWN);
        assertThat(ofCycle("request").verdict()).isEqualTo(Holders.Verdict.STUCK);
    }

    private Held ofCycle(String reason) throws IOException {
        HolderDumpBuilder dump =
                new HolderDumpBuilder().header("time_us", "1700000060000040").header("reason", "\"" + reason + "\"");
        dump.module("train").key("losses", losses(dump));
        Item model =
                dump.object("Trainer").attribute("weights", tensor(dump, WEIGHTS, recording.addressOf("weights") >> 4));
        model.attribute("peer", dump.object("Peer").attribute("owner", model));
        return analyse(dump.write()).dumps().getFirst().rest().getFirst();
    }

    private Item losses(HolderDumpBuilder dump) {
        Item list = dump.list(STEPS);
        IntStream.range(0, STEPS).forEach(i -> list.item(i, tensor(dump, KEPT, kept.get(i) >> 4)));
        return list;
    }

    @Test
    void aFindingOfSeveralProcessesIsToldOnceWithTheListOfThem() throws IOException {
        train(STEPS);
        AnalysisResult result = Analysis.run(List.of(snapshotInput(), snapshotInput()), Analysis.Options.ALL);
        assertThat(result.findings())
                .filteredOn(finding -> finding.kind() == Finding.Kind.LEAK)
                .singleElement()
                .satisfies(leak -> assertThat(leak.inputs()).containsExactly(0, 1));
        assertThat(text(result)).contains("found in 2 inputs");
    }

    @Test
    void withoutASnapshotDumpsOfTheTimeAfterAreLeftOutToo() throws IOException {
        train(STEPS);
        HolderDump growth = dump("growth", dump(STEPS));
        HolderDump exit = dump("exit", dump(0, STEPS + 1, LongUnaryOperator.identity()));
        Holders holders = HolderDump.explain(List.of(exit, growth));
        assertThat(holders.dumps()).hasSize(1);
        assertThat(holders.totals().bytes()).isEqualTo(STEPS * KEPT + WEIGHTS);
        assertThat(holders.coverage())
                .containsExactly(
                        "exit is left out: an earlier dump says more; since then functions had returned, or most memory was"
                                + " freed.");
        HolderDump other = dump("other", otherProcess(dump(0, STEPS + 1, LongUnaryOperator.identity())));
        assertThat(HolderDump.explain(List.of(growth, other)).dumps()).hasSize(2);
    }

    /** Two dumps of a program whose source is at hand: the line that adds to the list, and how to change it. */
    @Test
    void whatGrewFromDumpToDumpIsAddedAtALineOfTheProgram(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("train.py"), """
                losses = []


                def train(model, batch):
                    loss = model(batch)
                    losses.append(loss)
                    return loss.item()
                """);
        train(STEPS);
        Holders explained = HolderDump.explain(
                List.of(dump("first", dump(STEPS / 2, 1, LongUnaryOperator.identity())), dump("second", dump(STEPS))));
        assertThat(explained.groups()).allMatch(group -> group.keptAt() == null);
        Holders holders = Sources.of(List.of(folder)).attach(explained);
        Holders.Group grown = holders.groups().getFirst();
        assertThat(grown.keptAt()).isEqualTo(new KeptAt("train.py", 6));
        assertThat(grown.advice().getFirst().patch()).contains("+    del losses[:-1]");
        assertThat(HoldersText.of(holders, 5, new Style(140, false, true)))
                .contains("Added at: train.py:6", "+    del losses[:-1]");
        assertThat(holders.groups().subList(1, holders.groups().size())).allMatch(group -> group.keptAt() == null);
    }

    private static HolderDump dump(String name, byte[] file) throws IOException {
        return HolderDump.read(name, new ByteArrayInputStream(file));
    }

    /** Steps that each keep a loss; the weights are older. */
    private void train(int steps) {
        recording.alloc("weights", WEIGHTS, MAIN);
        recording.repeat(steps, (s, i) -> {
            s.step()
                    .alloc("batch" + i, 1_111_111, BATCH)
                    .alloc("kept" + i, KEPT, LOSS)
                    .free("batch" + i, BATCH);
            kept.add(s.addressOf("kept" + i));
        });
    }

    private byte[] dump(int losses) {
        return dump(losses, LongUnaryOperator.identity());
    }

    private byte[] dump(int losses, LongUnaryOperator moved) {
        return dump(losses, losses, moved);
    }

    /** What is left of the losses after a step. */
    private byte[] dump(int losses, int step, LongUnaryOperator moved) {
        HolderDumpBuilder dump =
                new HolderDumpBuilder().header("time_us", String.valueOf(1_700_000_060_000_000L + step));
        Item list = dump.list(losses);
        IntStream.range(0, losses).forEach(i -> list.item(i, tensor(dump, KEPT, moved.applyAsLong(kept.get(i) >> 4))));
        Item weights = tensor(dump, WEIGHTS, moved.applyAsLong(recording.addressOf("weights") >> 4));
        dump.module("train").key("losses", list).key("weights", weights);
        return dump.write();
    }

    private static Item tensor(HolderDumpBuilder dump, long bytes, long key) {
        return dump.view("[" + bytes / Float.BYTES + "]", dump.storage(bytes, key, -1));
    }

    /** The same dump with another process's number. */
    private static byte[] otherProcess(byte[] dump) {
        byte[] other = dump.clone();
        String text = new String(other, StandardCharsets.ISO_8859_1);
        int at = text.indexOf("\"pid\": 4242") + "\"pid\": ".length();
        other[at] = '5';
        return other;
    }

    private AnalysisResult analyse(byte[] dump) throws IOException {
        return Analysis.run(List.of(snapshotInput(), input("b.holders", dump)), Analysis.Options.ALL);
    }

    private Input snapshotInput() throws IOException {
        return input("a.pickle", recording.write(Dialect.PROTOCOL_4));
    }

    private static Input input(String name, byte[] file) throws IOException {
        return Input.open(InputSource.of(name, new ByteArrayInputStream(file)), Demand.EVIDENCE);
    }

    private static String text(AnalysisResult result) {
        return TextReport.of(result, new TextReport.Options(5, false, false), new Style(140, false, true));
    }
}
