package dev.leakline.known.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Holders.Accumulation;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Owner;
import dev.leakline.result.Holders.Verdict;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lines that add to the collections which holder dumps name, in files that no stack leads to. */
class SourceHeldTest {
    private static final String CALLS = """
            def main(model):
                for step in range(9):
                    model(step)
            """;
    private static final String CACHE = """
            class Cache:
                def __init__(self):
                    self.entries = {}

                def get(self, key):
                    return self.entries[key]

                def put(self, key, value):
                    self.entries[key] = (0.5, value)
            """;
    private static final String LOG = """
            class Other:
                def __init__(self):
                    self.seen = []

                def add(self, x):
                    self.seen.append(x)

            class Log:
                seen = []

                @classmethod
                def note(cls, entry):
                    cls.seen.append(entry)
            """;
    private static final Hop TENSOR = hop(".features", "torch.Tensor", "Tensor [8] float32");
    private static final Hop CACHED = hop("['cache']", "store.Cache", "store.Cache");

    private final Diagnosis cache = dumped(Cause.CACHE_GROWS);
    private final Diagnosis container = dumped(Cause.CONTAINER);

    @Test
    void aCacheInAModuleThatNoStackLeadsToIsBoundedWhereItsClassAddsToIt() {
        Finding read = read(cache, Map.of("store.py", CACHE), 1, CACHED, hop(".entries", "dict", "dict, 90 items"));
        assertThat(read.explanation().text())
                .endsWith("more often than new ones come. store.py:9 adds to it: self.entries[key] = (0.5, value)"
                        .replace("more often", "or less often"));
        assertThat(read.advice().getFirst().before()).isEqualTo("self.entries[key] = (0.5, value)");
        assertThat(read.advice().getFirst().after()).isEqualTo("""
                self.entries[key] = (0.5, value)
                while len(self.entries) > LIMIT:
                    self.entries.pop(next(iter(self.entries)))""");
    }

    @Test
    void whatADumpFindsInATupleIsMovedToTheHost() {
        String log = """
                import torch

                class Log:
                    def __init__(self):
                        self.seen = []

                    def note(self, outputs, y):
                        self.seen.append((outputs["logits"], y))
                """;
        Finding read = read(
                container,
                Map.of("log.py", log),
                1,
                hop("['log']", "log.Log", "log.Log"),
                hop(".seen", "list", "list, 90 items"),
                hop("[*]", "tuple", "tuple, 2 items"),
                hop("[0]", "torch.Tensor", "Tensor [8] float32"));
        assertThat(read.advice())
                .extracting(Advice::after)
                .containsExactly("self.seen.append((outputs[\"logits\"].detach().cpu(), y))", "");
    }

    /** The source was changed after the dump was made. */
    @Test
    void whatIsNoTensorAnyMoreIsNotMoved() {
        String log = """
                class Log:
                    def __init__(self):
                        self.seen = []

                    def note(self, y):
                        self.seen.append(None)

                    def count(self):
                        return sum(each is None for each in self.seen)
                """;
        Finding read = read(
                container,
                Map.of("log.py", log),
                1,
                hop("['log']", "log.Log", "log.Log"),
                hop(".seen", "list", "list, 90 items"),
                hop("[*]", "torch.Tensor", "Tensor [8] float32"));
        assertThat(read.advice()).extracting(Advice::after).allMatch(after -> !after.contains("cpu()"));
    }

    @Test
    void aListThatIsReadByASliceIsCutBehindTheLineThatAddsAndStaysAList() {
        String log = """
                class Log:
                    def __init__(self):
                        self.seen = []

                    def note(self, y):
                        self.seen.append(y)

                    def recent(self):
                        return self.seen[-50:]
                """;
        Finding read = read(
                container,
                Map.of("log.py", log),
                1,
                hop("['log']", "log.Log", "log.Log"),
                hop(".seen", "list", "list, 90 items"),
                TENSOR);
        assertThat(read.advice())
                .extracting(Advice::after)
                .containsExactly("self.seen.append(y)\ndel self.seen[:-50]", "self.seen.append(y.detach().cpu())");
    }

    @Test
    void aListOfObjectsIsBoundedSinceItsLineShowsNoTensor() {
        Finding read = read(
                container,
                Map.of("log.py", LOG.replace("class Other:\n    def __init__(self):\n        self.seen = []\n", "")),
                1,
                hop("", "type", "class log.Log"),
                hop(".seen", "list", "list, 90 items"),
                hop("[*]", "log.Entry", "log.Entry"),
                TENSOR);
        assertThat(read.advice())
                .extracting(Advice::action, Advice::after)
                .first()
                .satisfies(first -> assertThat(first.toString()).contains("Bound the collection"));
        assertThat(read.advice().getLast().before()).isEmpty();
    }

    @Test
    void anAttributeOfTheSameNameInAnotherClassIsNotTaken() {
        Finding read = read(
                container,
                Map.of("log.py", LOG),
                1,
                hop("", "type", "class log.Log"),
                hop(".seen", "list", "list, 90 items"),
                hop("[*]", "torch.Tensor", "Tensor [8] float32"));
        assertThat(read.explanation().text()).endsWith("log.py:13 adds to it: cls.seen.append(entry)");
    }

    @Test
    void ofTwoLinesThatAddNoneIsNamed() {
        Finding read = read(
                cache,
                Map.of("store.py", CACHE + "\n    def renew(self, key):\n        self.entries[key] = key\n"),
                1,
                CACHED,
                hop(".entries", "dict", "dict, 90 items"));
        assertThat(read.explanation().text()).doesNotContain("adds to it");
        assertThat(read.advice().getFirst().before()).isEmpty();
    }

    @Test
    void anObjectIsFilledByOthersWhereItsClassAddsNothing() {
        String main = CALLS + "        app.jobs[step] = model\n";
        Finding read = read(
                cache,
                Map.of("train.py", main, "store.py", "class Store:\n    pass\n"),
                1,
                hop("app", "store.Store", "store.Store"),
                hop(".jobs", "dict", "dict, 90 items"));
        assertThat(read.explanation().text()).endsWith("train.py:4 adds to it: app.jobs[step] = model");
    }

    @Test
    void aVariableOfAModuleIsFilledInItsFile() {
        Finding read = read(
                container,
                Map.of("store.py", "kept = []\n\ndef add(x):\n    kept.append(x)\n"),
                1,
                hop("", "dict", "module store"),
                hop("kept", "list", "list, 90 items"),
                hop("[*]", "torch.Tensor", "Tensor [8] float32"));
        assertThat(read.advice().getFirst().after()).isEqualTo("kept.append(x.detach().cpu())");
    }

    @Test
    void aVariableOfARunningCallIsFilledInItsFunction() {
        String main =
                CALLS + "\ndef other(kept):\n    kept.append(1)\n\ndef run():\n    kept = []\n    add(lambda x: kept)\n"
                        + "    kept.append(pick())\n";
        Finding read = read(
                container,
                Map.of("train.py", main),
                1,
                hop("", "frame", "running call of run (train.py:10) in thread worker"),
                hop("kept", "list", "list, 90 items"),
                hop("[*]", "torch.Tensor", "Tensor [8] float32"));
        assertThat(read.advice().getFirst().after()).isEqualTo("kept.append(pick().detach().cpu())");
    }

    @Test
    void aDictIsBoundedWhereADefaultIsPutIntoIt() {
        String server = "SESSIONS = {}\n\ndef chat(turn):\n    state = SESSIONS.setdefault(turn, {})\n";
        Finding read = read(
                cache,
                Map.of("server.py", server),
                1,
                hop("", "dict", "module server"),
                hop("SESSIONS", "dict", "dict, 90 items"),
                hop("[*]", "dict", "dict, 1 item"),
                hop("['kv']", "torch.Tensor", "Tensor [8] float32"));
        assertThat(read.advice().getFirst().after()).isEqualTo("""
                state = SESSIONS.setdefault(turn, {})
                while len(SESSIONS) > LIMIT:
                    SESSIONS.pop(next(iter(SESSIONS)))""");
    }

    @Test
    void whatAHookClosesOverIsFilledInTheFunctionThatMakesTheHook() {
        String hooks = """
                def watch(module):
                    norms = []

                    def hook(_, inputs, output):
                        norms.append(output.norm())

                    module.register_forward_hook(hook)
                    return lambda: write(norms)
                """;
        Finding read = read(
                dumped(Cause.GRAPH_KEPT),
                Map.of("train.py", hooks),
                2,
                hop("", "torch.nn.Linear", "torch.nn.Linear"),
                hop("[*]", "function", "function watch.<locals>.hook (train.py:4)"),
                hop("norms (closed over)", "list", "list, 90 items"),
                hop("[*]", "torch.Tensor", "Tensor [] float32"),
                hop(".grad_fn", "torch.Tensor", "Tensor [8] float32"));
        assertThat(read.advice().getFirst().after()).isEqualTo("norms.append(output.norm().detach().cpu())");
    }

    @Test
    void otherCausesKeepTheirAdvice() {
        Finding read = read(
                dumped(Cause.EXCEPTION),
                Map.of("store.py", CACHE),
                1,
                CACHED,
                hop(".entries", "dict", "dict, 90 items"));
        assertThat(read.explanation().text()).doesNotContain("adds to it");
    }

    private static Diagnosis dumped(Cause cause) {
        return new Diagnosis(cause, Basis.DUMP, List.of());
    }

    private static Hop hop(String label, String type, String text) {
        return new Hop(label, type, text, Verdict.UNKNOWN, "", false);
    }

    /** A finding of {@code train.py}, which a dump says is kept on a path, after some files were read. */
    private static Finding read(Diagnosis diagnosis, Map<String, String> files, int pile, Hop... path) {
        Group group = new Group(
                "id",
                "kept",
                Owner.NAME,
                Verdict.STUCK,
                1,
                1,
                1,
                1,
                1,
                Stream.of(path).toList(),
                new Accumulation(pile, 90, 1, 1),
                0,
                null,
                diagnosis.cause().id(),
                List.of(),
                null);
        Finding finding = PythonLines.finding(diagnosis, List.of(3));
        return SourceReading.of(
                finding.withHolders(List.of(FindingHolder.of(0, "", 1, 1, group, null)), finding.advice()),
                _ -> "",
                frame -> {
                    String name = frame.file().replace("/app/", "");
                    return files.getOrDefault(name, name.equals("train.py") ? CALLS : "");
                });
    }
}
