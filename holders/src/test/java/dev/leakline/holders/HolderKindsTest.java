package dev.leakline.holders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.known.Cause;
import dev.leakline.known.HookTable;
import dev.leakline.known.Shell;
import dev.leakline.read.dump.HoldersReader;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Owner;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.testkit.holders.HolderDumpBuilder;
import dev.leakline.testkit.holders.HolderDumpBuilder.Storage;
import dev.leakline.testkit.holders.Item;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every kind of holder that PyTorch programs have, described by hand. */
class HolderKindsTest {
    private final HolderDumpBuilder dump = new HolderDumpBuilder();

    @Test
    void aGlobalListIsNamedWithTheReferenceToBlame() throws IOException {
        dump.module("train").key("losses", dump.list(0).items(tensors(3, 512)));
        Group group = only();
        assertThat(group.title()).isEqualTo("losses of module train");
        assertThat(labels(group)).containsExactly("", "losses", "[*]");
        assertThat(suspects(group)).containsExactly("losses", "[*]");
        assertThat(group.storages()).isEqualTo(3);
        assertThat(group.retainedBytes()).isEqualTo(3 * 512);
        assertThat(group.accumulation()).isNotNull();
        assertThat(group.accumulation().items()).isEqualTo(3);
    }

    @Test
    void theListThatGrowsIsBlamedAndNotTheListOfThoseThatHaveOne() throws IOException {
        Item grown = dump.dict(3).key("activations", dump.list(40).items(tensors(40, 512)));
        Item warm = dump.dict(3).key("activations", dump.list(2).items(tensors(2, 512)));
        dump.module("train").key("runs", dump.list(3).item(0, warm).item(1, grown));
        Group group = only();
        assertThat(labels(group)).containsExactly("", "runs", "[*]", "['activations']", "[*]");
        assertThat(group.title()).isEqualTo("runs[*]['activations'] of module train");
        assertThat(group.accumulation()).isNotNull();
        assertThat(group.accumulation().hop()).isEqualTo(3);
        assertThat(suspects(group)).containsExactly("runs", "[*]");
    }

    @Test
    void theOneSettingThatLeadsToTensorsIsNamed() throws IOException {
        dump.module("api").key("config", dump.dict(25).key("LAST", dump.list(40).items(tensors(40, 512))));
        assertThat(only().title()).isEqualTo("config['LAST'] of module api");
    }

    @Test
    void lossesWithTheirGraphsAreOneGroupThatIsStuck() throws IOException {
        Item[] losses = new Item[4];
        for (int i = 0; i < losses.length; i++) {
            Item layer = dump.autograd("AddmmBackward0").autograd("saved_mat1", dump.tensor("[64, 512]", 131_072));
            losses[i] = dump.tensor("[]", 4)
                    .computedBy(dump.autograd("MeanBackward0").autograd("next_functions[0]", layer));
        }
        dump.module("train")
                .key("history", dump.dict(1).key("loss", dump.list(4).items(losses)));
        Group group = only();
        assertThat(group.verdict()).isEqualTo(Verdict.STUCK);
        assertThat(group.storages()).isEqualTo(8);
        assertThat(group.retainedBytes()).isEqualTo(4 * (131_072 + 4));
        assertThat(labels(group))
                .containsExactly(
                        "", "history", "['loss']", "[*]", ".grad_fn → MeanBackward0 → AddmmBackward0.saved_mat1");
        assertThat(suspects(group)).containsExactly("history", "[*]");
        assertThat(group.path().getLast().text()).endsWith("128 KiB");
        assertThat(group.advice().getFirst().action()).contains("put x.detach().cpu() into history['loss']");
    }

    @Test
    void whatAnInteractivePythonKeepsByItselfHasItsOwnCure() throws IOException {
        dump.module("__main__").key("Out", dump.dict(3).otherKey("3", dump.tensor("[64]", 256)));
        assertThat(only().advice().getFirst().action()).contains("%reset -f out");
        assertThat(Shell.of("__main__", "_12")).isEqualTo(Shell.RESULTS);
        assertThat(Shell.of("builtins", "_")).isEqualTo(Shell.RESULTS);
        assertThat(Shell.of("sys", "last_traceback")).isEqualTo(Shell.ERROR);
        assertThat(Shell.of("__main__", "results")).isNull();
        assertThat(Shell.of("train", "Out")).isNull();
    }

    @Test
    void resultsOfCellsPileUpInOutAndNotInTheirSecondNames() throws IOException {
        Item main = dump.module("__main__");
        Item out = dump.dict(12);
        for (int cell = 1; cell <= 12; cell++) {
            Item result = dump.tensor("[64]", 256);
            out.otherKey(String.valueOf(cell), result);
            main.key("_" + cell, result);
        }
        main.key("Out", out);
        assertThat(only().title()).isEqualTo("Out of module __main__");
        assertThat(only().storages()).isEqualTo(12);
        assertThat(only().advice().getFirst().action()).contains("%reset -f out");
    }

    @Test
    void parametersTheirGradientsAndOptimizersAreAsTheyShouldBe() throws IOException {
        Item model = dump.network("Mlp");
        Item weight = dump.parameter(model, "weight", 4096);
        weight.autograd("grad", dump.tensor("[1024]", 4096));
        Item optimizer = dump.optimizer("torch.optim.adam.Adam")
                .attribute(
                        "state",
                        dump.dict(1).otherKey("Parameter", dump.dict(1).key("exp_avg", dump.tensor("[1024]", 4096))));
        dump.running("main (train.py:30)").local("model", model).local("optimizer", optimizer);
        Holders holders = holders();
        assertThat(holders.groups()).hasSize(2).allMatch(group -> group.verdict() == Verdict.EXPECTED);
        assertThat(holders.totals().expectedBytes()).isEqualTo(3 * 4096);
        assertThat(holders.groups())
                .extracting(Group::title)
                .containsExactly(
                        "model of running call of main (train.py:30)",
                        "optimizer of running call of main (train.py:30)");
    }

    @Test
    void whatTheHooksOfAParameterKeepIsNoPartOfItsModel() throws IOException {
        Item model = dump.network("Ranker");
        Item weight = dump.parameter(model, "weight", 4096);
        weight.attribute("_backward_hooks", hooksThatKeep(30));
        dump.running("fit (rows.py:28)").local("model", model);
        Group group = holders().groups().getFirst();
        assertThat(group.title()).isEqualTo("model.weight._backward_hooks of running call of fit (rows.py:28)");
        assertThat(group.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(group.retainedBytes()).isEqualTo(30 * 512);
        assertThat(suspects(group)).containsExactly("._backward_hooks", "[*]");
        assertThat(group.cause()).isEqualTo(Cause.HOOKS_KEEP.id());
        assertThat(group.advice().getFirst().action()).contains("the handle that register_hook() returned");
        assertThat(holders().totals().expectedBytes()).isEqualTo(4096);
    }

    @Test
    void theAdviceForHooksOfAModuleNamesTheMethodThatRegistersThem() throws IOException {
        dump.module("serve").key("layer", dump.network("Mlp").attribute("_forward_pre_hooks", hooksThatKeep(3)));
        assertThat(only().advice().getFirst().action())
                .contains("the handle that register_forward_pre_hook() returned");
        assertThat(only().advice().getFirst().before())
                .as("code that nobody wrote")
                .isEmpty();
        assertThat(HookTable.registration("._backward_hooks", false)).isEqualTo("register_full_backward_hook");
    }

    private Item hooksThatKeep(int count) {
        Item hooks = dump.dict(count);
        for (int i = 0; i < count; i++) {
            Item cell = dump.item(14, "cell").internal("cell_contents", dump.tensor("[128]", 512));
            Item closure = dump.tuple(1).closure("scale", cell);
            hooks.otherKey(
                    String.valueOf(i), dump.function("damp.<locals>.<lambda>").internal("__closure__", closure));
        }
        return hooks;
    }

    @Test
    void aListAtAParameterIsNoPartOfItsModelButATensorIs() throws IOException {
        Item model = dump.network("Ranker");
        Item weight = dump.parameter(model, "weight", 4096);
        weight.internal(
                "__dict__",
                dump.dict(2)
                        .attribute("main_grad", dump.tensor("[1024]", 4096))
                        .attribute("norms", dump.list(3).items(tensors(3, 512))));
        dump.running("fit (rows.py:28)").local("model", model);
        assertThat(holders().totals().expectedBytes()).isEqualTo(2 * 4096);
        assertThat(holders().groups().getFirst().title())
                .isEqualTo("model.weight.norms of running call of fit (rows.py:28)");
    }

    @Test
    void aLocalOfARunningCallIsAsItShouldBe() throws IOException {
        dump.running("main (train.py:30)").local("x", dump.tensor("[8]", 32));
        assertThat(only().verdict()).isEqualTo(Verdict.EXPECTED);
        assertThat(suspects(only())).isEmpty();
    }

    @Test
    void aLocalWhoseGraphUsesAParameterManyTimesIsNamed() throws IOException {
        Item leaf = dump.autograd("AccumulateGrad");
        Item top = dump.autograd("AddBackward0");
        for (int i = 0; i < 5; i++) {
            top.autograd(
                    "next_functions[" + i + "]", dump.autograd("MulBackward0").autograd("next_functions[0]", leaf));
        }
        dump.running("main (train.py:30)").local("total", dump.tensor("[]", 4).computedBy(top));
        assertThat(suspects(only())).containsExactly("total");
        assertThat(only().path().getLast().reason()).contains("5 times");
    }

    @Test
    void theFrameOfAFinishedCallIsStuckAndTheListOfErrorsToBlame() throws IOException {
        Item frame = dump.finished("handle (serve.py:13)").local("hidden", dump.tensor("[128]", 512));
        Item traceback = dump.exception("traceback").attribute("tb_frame", frame);
        Item error = dump.exception("ValueError").attribute("__traceback__", traceback);
        dump.module("serve").key("failures", dump.list(1).item(0, error));
        Group group = only();
        assertThat(suspects(group)).containsExactly("failures", "[*]");
        assertThat(verdict(group, "finished call of handle (serve.py:13)")).isEqualTo(Verdict.STUCK);
        assertThat(group.advice().getFirst().action()).contains("with_traceback(None)");
    }

    @Test
    void theExceptionThatEndedAScriptIsNoHolderButTheCallsThatItEnded() throws IOException {
        dump.header("reason", "\"exit\"");
        dump.module("sys").attribute("last_traceback", tracebackOf("traceback of <module> (serve.py:53)"));
        Group group = only();
        assertThat(group.title()).isEqualTo("server.seen of running call of main (serve.py:49)");
        assertThat(group.advice().getFirst().action()).contains("server.seen");
    }

    @Test
    void theLastExceptionOfAnInteractivePythonIsAHolder() throws IOException {
        dump.header("reason", "\"exit\"");
        dump.module("sys").attribute("last_traceback", tracebackOf("traceback of <module> (<stdin>:1)"));
        assertThat(only().title()).startsWith("last_traceback");
        assertThat(only().advice().getFirst().action()).contains("set sys.last_traceback");
    }

    /** As no Python writes it, but anybody can. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void tracebacksThatFollowEachOtherInACircleEnd() throws IOException {
        dump.header("reason", "\"exit\"");
        Item first = tracebackOf("traceback of <module> (serve.py:53)");
        first.attribute("tb_next", dump.exception("traceback").attribute("tb_next", first));
        dump.module("sys").attribute("last_traceback", first);
        assertThat(only().title()).isEqualTo("server.seen of running call of main (serve.py:49)");
    }

    private Item tracebackOf(String text) {
        Item server = dump.item(0, "Server").attribute("seen", dump.list(3).items(tensors(3, 512)));
        Item main = dump.finished("main (serve.py:49)").local("server", server);
        Item next = dump.exception("traceback").attribute("tb_frame", main);
        return dump.exception("traceback").text(text).attribute("tb_next", next);
    }

    @Test
    void whereTheGraphWasNotReadItMayBeTheHolder() throws IOException {
        dump.header("graph", "\"skipped\"");
        dump.storageObject(dump.storage(512)).surplus(1);
        assertThat(only().title()).contains("held by native code or by the autograd graph");
        assertThat(only().advice()).isEmpty();
    }

    @Test
    void aClosureIsNamedByItsVariable() throws IOException {
        Item cell = dump.item(14, "cell").internal("cell_contents", dump.list(2).items(tensors(2, 256)));
        Item function = dump.function("keep (hooks.py:9)")
                .internal("__closure__", dump.tuple(1).closure("seen", cell));
        dump.module("hooks").key("callback", function);
        assertThat(only().title()).isEqualTo("callback → seen (closed over) of module hooks");
        assertThat(suspects(only())).containsExactly("seen (closed over)", "[*]");
    }

    @Test
    void aSuspendedGeneratorIsNamed() throws IOException {
        Item generator = dump.suspended("stream (serve.py:4)").local("state", dump.tensor("[9]", 36));
        dump.module("serve").key("open", dump.list(1).item(0, generator));
        assertThat(labels(only())).containsExactly("", "open", "[*]", "state");
        assertThat(only().advice().getFirst().action()).contains("close the generator");
    }

    @Test
    void surplusReferencesAreNativeHolders() throws IOException {
        dump.tensor("[77]", 308).surplus(2);
        assertThat(only().owner()).isEqualTo(Owner.NATIVE);
        assertThat(only().path().getFirst().reason()).startsWith("native code holds 2 references");
        assertThat(holders().totals().nativeBytes()).isEqualTo(308);
    }

    @Test
    void whatNobodyIsSeenToHoldIsSaidToBeSo() throws IOException {
        dump.tensor("[77]", 308).uncounted();
        dump.storage(1000);
        Holders holders = holders();
        assertThat(holders.groups()).allMatch(group -> group.owner() == Owner.UNSEEN);
        assertThat(holders.totals().unseenBytes()).isEqualTo(1308);
    }

    @Test
    void nativeCodeThatHoldsWhatAListHoldsKeepsItWhenTheListGoes() throws IOException {
        dump.module("train")
                .key("kept", dump.list(2).items(dump.tensor("[1]", 512).surplus(1), dump.tensor("[2]", 1024)));
        assertThat(only().bytes()).isEqualTo(1536);
        assertThat(only().retainedBytes()).isEqualTo(1024);
    }

    @Test
    void viewsShareTheirStorage() throws IOException {
        Storage storage = dump.storage(8192);
        dump.module("a").key("rows", dump.list(1).item(0, dump.view("[10]", storage)));
        dump.module("b").key("columns", dump.list(1).item(0, dump.view("[20]", storage)));
        Group group = only();
        assertThat(group.storages()).isEqualTo(1);
        assertThat(group.retainedBytes()).isZero();
        assertThat(group.reachableBytes()).isEqualTo(8192);
    }

    @Test
    void groupsThatReachTheSameGetAnEqualShare() throws IOException {
        Item big = dump.tensor("[100]", 8000);
        dump.module("a")
                .key("first", dump.list(2).items(dump.object("Box").attribute("big", big), dump.tensor("[1]", 10)));
        dump.module("b")
                .key("second", dump.list(2).items(dump.object("Box").attribute("big", big), dump.tensor("[2]", 20)));
        Holders holders = holders();
        assertThat(holders.groups()).extracting(Group::sharedBytes).containsExactly(4000L, 4000L);
        assertThat(holders.groups()).extracting(Group::reachableBytes).containsExactlyInAnyOrder(8010L, 8020L);
    }

    @Test
    void aStorageThatOnlyItsOwnObjectHoldsIsFound() throws IOException {
        Storage storage = dump.storage(4321);
        dump.module("m").key("raw", dump.storageObject(storage));
        assertThat(labels(only())).containsExactly("", "raw");
    }

    @Test
    void aPairOfObjectsIsACycleToBeCutAtTheLinkBetweenThem() throws IOException {
        for (int i = 0; i < 3; i++) {
            Item a = dump.object("Node").attribute("tensor", dump.tensor("[1]", 100));
            Item b = dump.object("Node")
                    .attribute("tensor", dump.tensor("[1]", 100))
                    .attribute("link", a);
            a.attribute("link", b);
        }
        Cycle cycle = holders().cycles().getFirst();
        assertThat(holders().cycles()).hasSize(1);
        assertThat(cycle.copies()).isEqualTo(3);
        assertThat(cycle.bytes()).isEqualTo(600);
        assertThat(cycle.isCollectable()).isTrue();
        assertThat(cycle.hops()).hasSize(2);
        assertThat(cycle.hops().getFirst().label()).isEqualTo(".link");
        assertThat(only().retainedBytes()).isEqualTo(600);
        assertThat(only().owner()).isEqualTo(Owner.CYCLE);
    }

    @Test
    void whatAListWasFilledWithBeforeItsCycleBecameGarbageIsKeptByTheList() throws IOException {
        Item[] outputs =
                Stream.generate(() -> dump.tensor("[128]", 512)).limit(40).toArray(Item[]::new);
        cycleWith("Trainer", dump.list(40).items(outputs));
        assertThat(only().owner()).isEqualTo(Owner.CYCLE);
        assertThat(only().cause()).isEqualTo("kept_in_container");
        assertThat(only().advice().getFirst().action()).contains("outputs, or keep a copy");
    }

    @Test
    void whatFewItemsOrManyCyclesHoldWaitsForTheCollector() throws IOException {
        cycleWith("Layers", dump.list(4).items(tensors(4, 512)));
        assertThat(only().cause()).isEqualTo("reference_cycle");
        cycleWith("Batch", dump.list(40).items(tensors(40, 512)));
        cycleWith("Batch", dump.list(40).items(tensors(40, 512)));
        assertThat(holders().groups()).hasSize(2).allMatch(group -> "reference_cycle".equals(group.cause()));
    }

    /** An object that keeps something, and another to which it refers and which refers to it. */
    private void cycleWith(String type, Item kept) {
        Item owner = dump.object(type).attribute("outputs", kept);
        owner.attribute("peer", dump.object(type + "Peer").attribute("owner", owner));
    }

    @Test
    void noCycleIsCutAtWhatIsPythonsOwn() throws IOException {
        Item trainer = dump.object("Trainer").attribute("kept", dump.tensor("[1]", 100));
        Item names = dump.dict(2);
        trainer.internal("__dict__", names);
        names.attribute("loop", dump.object("Loop").attribute("trainer", trainer));
        names.attribute("logger", dump.object("Logger").attribute("owner", trainer));
        assertThat(holders().cycles().getFirst().hops().getFirst().label()).doesNotContain("__");
    }

    @Test
    void anErrorInItsOwnFrameIsCutAtTheLocalVariable() throws IOException {
        Item error = dump.exception("ValueError");
        Item frame = dump.finished("handle (serve.py:9)").local("error", error).local("x", dump.tensor("[5]", 20));
        error.attribute("__traceback__", dump.exception("traceback").attribute("tb_frame", frame));
        List<Hop> hops = holders().cycles().getFirst().hops();
        assertThat(hops.getFirst().label()).isEqualTo("error");
        assertThat(hops.getFirst().isSuspect()).isTrue();
        assertThat(hops).filteredOn(Hop::isSuspect).hasSize(1);
    }

    @Test
    void aGradientWithAGraphIsACycleThatNoCollectorSees() throws IOException {
        Item leaf = dump.tensor("[4]", 16);
        Item grad = dump.tensor("[4]", 16);
        leaf.autograd("grad", grad);
        grad.computedBy(dump.autograd("CopyBackwards")
                .autograd("next_functions[0]", dump.autograd("AccumulateGrad").autograd("variable", leaf)));
        Cycle cycle = holders().cycles().getFirst();
        assertThat(cycle.isCollectable()).isFalse();
        assertThat(cycle.hops().getFirst().label()).isEqualTo(".grad");
    }

    @Test
    void signaturesDoNotDependOnTheOrderOfADumpNorOnIndicesAndLines() throws IOException {
        List<String> first = signatures(mixture(0, 3, "main (train.py:30)"));
        List<String> second = signatures(mixture(7, 5, "main (train.py:31)"));
        List<String> third = signatures(mixture(8, 40, "main (train.py:99)"));
        assertThat(second).isEqualTo(first);
        assertThat(third).isEqualTo(first);
        assertThat(first).doesNotHaveDuplicates().hasSize(4);
    }

    @Test
    void aListOfAsManyItemsAsBeforeHasNotGrownAndNobodyIsToldToBoundIt() throws IOException {
        Holders holders =
                HolderAnalysis.run("1", List.of("a", "b"), List.of(read(window(0, 512)), read(window(2, 1024))));
        Group group = holders.groups().getFirst();
        assertThat(group.growth()).isNotNull();
        assertThat(group.growth().newStorages()).isEqualTo(2);
        assertThat(group.growth().hasGrown()).isFalse();
        assertThat(group.advice()).isEmpty();
    }

    @Test
    void aDequeSaysHowManyItemsItKeepsAndIsToldNothingOnceItHasThem() throws IOException {
        assertThat(only(window(0, 512).header("bounds", "[[0, 9], [\"x\", 2], 7]"))
                        .mostItems())
                .isEqualTo(9);
        assertThat(only(window(0, 512).header("bounds", "[[0, 9]]")).advice()).isNotEmpty();
        assertThat(only(window(0, 512).header("bounds", "[[0, 4]]")).advice()).isEmpty();
    }

    /** A window of four tensors, from one number on. */
    private static HolderDumpBuilder window(int first, int bytes) {
        HolderDumpBuilder dump =
                new HolderDumpBuilder().header("time_us", String.valueOf(1_700_000_000_000_000L + first));
        Item recent = dump.list(4);
        for (int i = 0; i < 4; i++) {
            recent.item(i, dump.view("[64]", dump.storage(bytes, 1000L + first + i, -1)));
        }
        dump.module("serve").key("recent", recent);
        return dump;
    }

    @Test
    void aLoneListThatGrewInThreeDumpsIsStuck() throws IOException {
        Holders holders = HolderAnalysis.run(
                "1", List.of("c", "a", "b"), List.of(read(growing(9, 3)), read(growing(2, 1)), read(growing(5, 2))));
        Group group = holders.groups().getFirst();
        assertThat(group.verdict()).isEqualTo(Verdict.STUCK);
        assertThat(group.growth()).isNotNull();
        assertThat(group.growth().isSteady()).isTrue();
        assertThat(group.growth().newStorages()).isEqualTo(4);
        assertThat(group.path().get(1).reason()).isEqualTo("it grew by 7 items in 3 dumps");
        assertThat(suspects(group)).containsExactly("losses");
        assertThat(holders.dumps()).extracting(one -> one.file().path()).containsExactly("a", "b", "c");
    }

    @Test
    void aListThatFilledAndThenHardlyGrewIsNotStuck() throws IOException {
        Holders holders = HolderAnalysis.run(
                "1",
                List.of("a", "b", "c"),
                List.of(read(growing(32, 32)), read(growing(48, 48)), read(growing(80, 240))));
        Group group = holders.groups().getFirst();
        assertThat(group.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(group.path().get(1).reason()).isEqualTo("it grew by 48 items in 3 dumps");
    }

    @Test
    void aListThatGrewInThreeDumpsOfNoKnownStepIsStuck() throws IOException {
        Holders holders = HolderAnalysis.run(
                "1",
                List.of("a", "b", "c"),
                List.of(
                        read(growing(3, 1).header("step", "null")),
                        read(growing(6, 2).header("step", "null")),
                        read(growing(7, 30).header("step", "null"))));
        assertThat(holders.groups().getFirst().verdict()).isEqualTo(Verdict.STUCK);
    }

    @Test
    void whatCallsLeftInACycleWhenTheyReturnedIsHeldAsWhileTheyRan() throws IOException {
        Holders holders =
                HolderAnalysis.run("1", List.of("a", "b"), List.of(read(plotted(5, false)), read(plotted(40, true))));
        assertThat(holders.dumps()).extracting(one -> one.file().path()).containsExactly("a");
        assertThat(holders.groups().getFirst().title()).isEqualTo("plot.points of running call of main (fit.py:9)");
    }

    @Test
    void aCycleThatNothingHeldBeforeIsToldFromTheDumpOfTheExit() throws IOException {
        HolderDumpBuilder running = plotted(5, true);
        running.running("main (fit.py:9)").local("x", running.tensor("[2]", 8));
        Holders holders = HolderAnalysis.run(
                "1", List.of("a", "b"), List.of(read(running.header("step", "10")), read(plotted(40, true))));
        assertThat(holders.dumps()).hasSize(2);
        assertThat(holders.groups().getFirst().owner()).isEqualTo(Holders.Owner.CYCLE);
    }

    @Test
    void aListOfSmallViewsGetsCopies() throws IOException {
        assertThat(views("[16]").cause()).isEqualTo("view_keeps_storage");
        assertThat(views("[16]").advice().getFirst().action()).startsWith("put copies into rows");
    }

    @Test
    void aListOfHalvesIsBoundedSinceCopiesWouldGrowHalfAsFast() throws IOException {
        Advice first = views("[512]").advice().getFirst();
        assertThat(views("[512]").cause()).isEqualTo("view_keeps_storage");
        assertThat(first.action()).isEqualTo("bound rows, or clear it when it has been used");
        assertThat(first.why()).contains("copies of the parts in it, x.clone(), would free 80.0 KiB of that");
    }

    /** A list of 40 views of that shape, each of another storage of 4 KiB. */
    private static Group views(String shape) throws IOException {
        HolderDumpBuilder dump = new HolderDumpBuilder();
        Item[] rows = IntStream.range(0, 40)
                .mapToObj(i -> dump.view(shape, dump.storage(4096, 1000 + i, -1)))
                .toArray(Item[]::new);
        dump.module("train").key("rows", dump.list(40).items(rows));
        return HolderAnalysis.run("1", List.of("m"), List.of(read(dump)))
                .groups()
                .getFirst();
    }

    /** A plot that keeps so many points and belongs to a ring; held by a running call, or left by it. */
    private static HolderDumpBuilder plotted(int points, boolean isLeft) {
        HolderDumpBuilder dump = new HolderDumpBuilder()
                .header("step", String.valueOf(points))
                .header("time_us", String.valueOf(1_700_000_000_000_000L + points))
                .header("reason", isLeft ? "\"exit\"" : "\"growth\"");
        Item[] kept = IntStream.range(0, points)
                .mapToObj(i -> dump.view("[]", dump.storage(512, 1000 + i, -1)))
                .toArray(Item[]::new);
        Item plot = dump.object("Plot").attribute("points", dump.list(points).items(kept));
        plot.attribute("trainer", dump.object("Trainer").attribute("plot", plot));
        if (!isLeft) {
            dump.running("main (fit.py:9)").local("plot", plot);
        }
        return dump;
    }

    @Test
    void totalsAddUp() throws IOException {
        Holders.Totals totals = HolderAnalysis.run("1", List.of("m"), List.of(read(mixture(3, 6, "main (a.py:1)"))))
                .totals();
        assertThat(totals.expectedBytes()
                        + totals.namedBytes()
                        + totals.cycleBytes()
                        + totals.nativeBytes()
                        + totals.unseenBytes())
                .isEqualTo(totals.bytes());
    }

    private static HolderDumpBuilder growing(int items, int step) {
        HolderDumpBuilder dump = new HolderDumpBuilder()
                .header("step", String.valueOf(step))
                .header("time_us", String.valueOf(1_700_000_000_000_000L + step));
        Item[] losses = IntStream.range(0, items)
                .mapToObj(i -> dump.view("[]", dump.storage(512, 1000 + i, -1)))
                .toArray(Item[]::new);
        dump.module("train").key("losses", dump.list(items).items(losses));
        return dump;
    }

    private static HolderDumpBuilder mixture(long seed, int count, String call) {
        HolderDumpBuilder dump = new HolderDumpBuilder();
        Item list = dump.list(count);
        Item cache = dump.dict(count);
        for (int i = 0; i < count; i++) {
            list.item(i, dump.tensor("[" + i + "]", 512 + i));
            cache.otherKey("(" + i + ", 4)", dump.object("Entry").attribute("mask", dump.tensor("[7]", 70)));
            Item node = dump.object("Node").attribute("tensor", dump.tensor("[1]", 9));
            node.attribute("self", node);
        }
        dump.module("train").key("losses", list).key("cache", cache);
        dump.running(call).local("x", dump.tensor("[3]", 12));
        return seed == 0 ? dump : dump.shuffled(seed);
    }

    private static List<String> signatures(HolderDumpBuilder dump) throws IOException {
        return HolderAnalysis.run("1", List.of("m"), List.of(read(dump))).groups().stream()
                .map(Group::signature)
                .sorted()
                .toList();
    }

    private Item[] tensors(int count, long bytes) {
        Item[] tensors = new Item[count];
        Arrays.setAll(tensors, _ -> dump.tensor("[1]", bytes));
        return tensors;
    }

    private Holders holders() throws IOException {
        return HolderAnalysis.run("1", List.of("dump"), List.of(read(dump)));
    }

    private Group only() throws IOException {
        return only(dump);
    }

    private static Group only(HolderDumpBuilder dump) throws IOException {
        List<Group> groups =
                HolderAnalysis.run("1", List.of("a"), List.of(read(dump))).groups();
        assertThat(groups).hasSize(1);
        return groups.getFirst();
    }

    private static dev.leakline.objects.ObjectGraph read(HolderDumpBuilder dump) throws IOException {
        return HoldersReader.read(new ByteArrayInputStream(dump.write()));
    }

    private static List<String> labels(Group group) {
        return group.path().stream().map(Hop::label).toList();
    }

    private static List<String> suspects(Group group) {
        return group.path().stream().filter(Hop::isSuspect).map(Hop::label).toList();
    }

    private static Verdict verdict(Group group, String text) {
        return group.path().stream()
                .filter(hop -> hop.text().equals(text))
                .map(Hop::verdict)
                .findFirst()
                .orElseThrow();
    }
}
