package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Basis;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Small programs, each with one cause: what a recording alone says of it, what its holder dump adds, and what its source does. */
class CausesTest {
    private static final Path FOLDER = Repository.root().resolve("core/src/test/resources/causes");

    @ParameterizedTest
    @CsvSource({
        "outs_list, autograd_graph_kept, INFERRED",
        "hidden_state, autograd_graph_kept, INFERRED",
        "retain, autograd_graph_kept, INFERRED",
        "layer_maps, kept_in_container, RECORDING",
        "qkv_kept, kept_in_container, RECORDING",
        "errors, exception_traceback, INFERRED",
        "folds, models_kept, RECORDING",
        "tensor_hook, hook, RECORDING"
    })
    void aRecordingTellsWhatItKnowsFromWhatItInfers(String name, String cause, Basis basis) throws IOException {
        Finding finding = first(Analysed.path(FOLDER.resolve(name + ".pickle.gz")));
        assertThat(finding.cause()).isEqualTo(cause);
        assertThat(basis(finding)).isEqualTo(basis);
        assertThat(finding.title().startsWith("probably ")).isEqualTo(basis == Basis.INFERRED);
    }

    @ParameterizedTest
    @CsvSource({
        "except_stores, kept_in_container, rejected",
        "errors, exception_traceback, failures",
        "generators, generator, open_streams",
        "coroutines, generator, tasks",
        "big_views, view_keeps_storage, firsts",
        "weak_keys, weak_keys, weakref",
        "lru, unbounded_cache, maxsize",
        "sessions, unbounded_cache, sessions.cache",
        "folds, models_kept, results",
        "outs_list, autograd_graph_kept, outs"
    })
    void aDumpDecidesAndNamesWhatKeepsIt(String name, String cause, String named) throws IOException {
        AnalysisResult result = Analysis.run(
                List.of(
                        Snapshot.open(FOLDER.resolve(name + ".pickle.gz")),
                        HolderDump.open(FOLDER.resolve(name + ".holders.gz"))),
                Analysis.Options.ALL);
        Finding finding = first(result);
        assertThat(finding.cause()).isEqualTo(cause);
        assertThat(basis(finding)).isEqualTo(Basis.DUMP);
        assertThat(finding.advice().getFirst()
                        + finding.holders().getFirst().group().title())
                .contains(named);
    }

    @Test
    void whatTwoCollectionsKeepOfAStepIsTwoLeaks() throws IOException {
        Path recording = FOLDER.resolve("two_holders.pickle.gz");
        AnalysisResult alone = Analysed.path(recording);
        assertThat(alone.findings())
                .filteredOn(it -> it.kind() == Finding.Kind.LEAK)
                .hasSize(1);
        AnalysisResult result = Analysis.run(
                List.of(Snapshot.open(recording), HolderDump.open(FOLDER.resolve("two_holders.holders.gz"))),
                Analysis.Options.ALL.with(Sources.of(List.of(FOLDER))));
        assertThat(result.findings())
                .filteredOn(it -> it.kind() == Finding.Kind.LEAK)
                .extracting(
                        it -> it.site().frame().line(),
                        it -> Objects.requireNonNull(it.keptAt()).line(),
                        it -> it.holders().getFirst().title(),
                        Finding::bytes)
                .containsExactlyInAnyOrder(
                        tuple(35, 25, "recorder.history of running call of main (two_holders.py:34)", 99L << 17),
                        tuple(16, 16, "self.masks of running call of Decoder.mask (two_holders.py:16)", 99L << 16));
    }

    /** A job that was killed long after its last snapshot: what was allocated after that cannot be in it. */
    @Test
    void aDumpFromAfterTheSnapshotNamesTheHolderOfWhatWasThereAlready() throws IOException {
        AnalysisResult result = Analysis.run(
                List.of(
                        Snapshot.open(FOLDER.resolve("killed_later.pickle.gz")),
                        HolderDump.open(FOLDER.resolve("killed_later.holders.gz"))),
                Analysis.Options.ALL);
        assertThat(first(result).holders().getFirst().group().title())
                .isEqualTo("desk.replies of running call of main (killed_later.py:23)");
        assertThat(first(result).holders().getFirst().findingBlocks()).isEqualTo(30);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "outs_list | autograd_graph_kept | outs.append(y.detach().cpu())",
                "hidden_state | autograd_graph_kept | h = h.detach()",
                "retain | autograd_graph_kept | losses.append(loss.detach().cpu())",
                "except_stores | kept_in_container | rejected.append(torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), error.args[1]))",
                "errors | exception_traceback | failures.append(error.with_traceback(None))",
                "lru | unbounded_cache | @functools.lru_cache(maxsize=LIMIT)",
                "tensor_hook | hook | history.append(grad.clone().detach().cpu())"
            })
    void theSourceDecidesAndIsEdited(String name, String cause, String after) throws IOException {
        AnalysisResult recorded = Analysed.path(FOLDER.resolve(name + ".pickle.gz"));
        Finding finding = first(Sources.of(List.of(FOLDER)).attach(recorded));
        assertThat(finding.cause()).isEqualTo(cause);
        assertThat(basis(finding)).isEqualTo(Basis.SOURCE);
        Advice first = finding.advice().getFirst();
        assertThat(Objects.requireNonNullElse(first.patch(), "+" + first.after()))
                .containsPattern("(?m)^\\+ *" + Pattern.quote(after) + "$");
        assertThat(first.patch() == null).isEqualTo(after.contains("LIMIT"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"results_kept", "loss_kept"})
    void aResultIsNoGraphAnyMoreOnceABackwardPassHasFreedIt(String name) throws IOException {
        Snapshot snapshot = Snapshot.open(FOLDER.resolve(name + ".pickle.gz"));
        HolderDump dump = HolderDump.open(FOLDER.resolve(name + ".holders.gz"));
        for (List<? extends Input> inputs : List.of(List.of(snapshot), List.of(snapshot, dump))) {
            Finding finding = first(Analysis.run(inputs, Analysis.Options.ALL));
            assertThat(finding.cause()).isEqualTo("kept_in_container");
            assertThat(finding.title()).doesNotContain("graph");
            assertThat(Objects.requireNonNull(finding.explanation()).text()).doesNotContain("graph", "save for");
            assertThat(finding.advice().toString()).doesNotContain("no_grad", "autograd");
        }
    }

    @Test
    void theCollectorIsToldWhereConstructorsMakeObjectsFromConstructorsThatClear() throws IOException {
        AnalysisResult cycle = Analysed.path(FOLDER.resolve("constructor_cycle.pickle.gz"));
        assertThat(cycle.verdict()).isEqualTo(Verdict.REFERENCE_CYCLE);
        assertThat(Analysed.blamed(cycle)).isEqualTo("constructor_cycle.py:12");
        AnalysisResult clears = Analysed.path(FOLDER.resolve("constructor_clears.pickle.gz"));
        assertThat(clears.verdict()).isEqualTo(Verdict.NO_LEAK);
    }

    @Test
    void oneCollectionIsLeftOpenWhereItPilesUpAgain() throws IOException {
        AnalysisResult result = Analysed.path(FOLDER.resolve("one_collection.pickle.gz"));
        assertThat(result.verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(result.reason()).contains("reference cycles, if", "else a leak", "gc.collect()");
    }

    @Test
    void aRateByTimeIsNotSaidOfLessThanASecond() throws IOException {
        Finding finding = first(Analysed.path(FOLDER.resolve("loss_kept.pickle.gz")));
        assertThat(finding.bytesPerStep()).isEqualTo(512);
        assertThat(finding.bytesPerSecond()).isNaN();
        assertThat(finding.secondsToOom()).isNaN();
        assertThat(finding.lines().toString()).contains("512 B per step").doesNotContain("second");
    }

    @Test
    void noCodeIsShownThatNobodyWrote() throws IOException {
        Finding finding = first(Analysed.path(FOLDER.resolve("loss_kept.pickle.gz")));
        assertThat(finding.advice())
                .isNotEmpty()
                .allMatch(advice -> advice.before().isEmpty());
        assertThat(finding.advice()).allMatch(advice -> advice.after().isEmpty() && advice.patch() == null);
    }

    @Test
    void aSecondCallerThatLeaksMoreRarelyIsNoCleanCaller() throws IOException {
        AnalysisResult result = Analysed.path(FOLDER.resolve("two_callers.pickle.gz"));
        assertThat(Analysed.blamed(result)).isEqualTo("two_callers.py:9");
    }

    @Test
    void aLeakOfOneEndpointSaysWhich() throws IOException {
        assertThat(first(Analysed.path(FOLDER.resolve("labelled.pickle.gz"))).summary())
                .contains("under the label \"/rank\"");
        assertThat(first(Analysed.path(FOLDER.resolve("ranged.pickle.gz"))).summary())
                .contains("in the range \"endpoint rank\"");
    }

    private static Finding first(AnalysisResult result) {
        return result.findings().getFirst();
    }

    private static Basis basis(Finding finding) {
        return Objects.requireNonNull(finding.explanation()).basis();
    }
}
