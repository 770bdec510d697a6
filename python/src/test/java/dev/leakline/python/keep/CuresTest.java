package dev.leakline.python.keep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.python.edit.Diff;
import dev.leakline.python.flow.Program;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.KeptSearch.Call;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Programs, the line that allocates marked by {@code >}, and the lines that the first cure removes and adds. */
class CuresTest {
    @Test
    void whatIsReadByTheNewestIsCutToThem() {
        assertThat(cured("""
                import torch
                class Index:
                    def __init__(self, span):
                        self.span, self.seen = span, []
                    def add(self, sound):
                >       self.seen.append(torch.tanh(sound))
                    def newest(self):
                        return torch.cat(self.seen[-self.span:])
                index = Index(4)
                for sound in sounds:
                    index.add(sound)
                """)).isEqualTo("SAFE\n+del self.seen[:-self.span]");
    }

    @Test
    void entriesThatOthersNameAreNotThoseOfTheNewestKeys() {
        String store = """
                import torch
                class Store:
                    def __init__(self):
                        self.entries = {}
                    def add(self, number, x):
                >       self.entries[number] = torch.relu(x)
                    def page(self%s):
                        numbers = sorted(self.entries)[-30:]
                        return [self.entries[number] for number in %s]
                store = Store()
                for number, x in enumerate(batches):
                    store.add(number, x)
                """;
        assertThat(cured(store.formatted("", "numbers"))).startsWith("SAFE");
        assertThat(cured(store.formatted(", asked", "asked"))).startsWith("REVIEW");
        assertThat(cured(store.formatted(", number", "numbers"))).startsWith("REVIEW");
    }

    @Test
    void ofWhatIsOnlyCountedTheNumberIsKept() {
        assertThat(cured("""
                import torch
                lost = []
                for sound in sounds:
                >   lost.append(torch.tanh(sound))
                print(len(lost))
                """)).isEqualTo("SAFE\n-lost.append(torch.tanh(sound))\n+lost.append(None)");
    }

    @Test
    void aDequeIsEmptiedFromItsLeft() {
        assertThat(cured("""
                from collections import deque
                import torch
                window = deque()
                for frame in frames:
                >   window.append(torch.relu(frame))
                    if len(window) >= 3:
                        show(list(window)[-3:])
                """)).isEqualTo("SAFE\n+while len(window) > 3:\n+    window.popleft()");
    }

    @Test
    void aCallGoesBehindTensorsOnly() {
        assertThat(cured("""
                import torch
                kept = []
                for step, x in enumerate(batches):
                >   y = torch.relu(x)
                    kept.append((step, y if step else None))
                save(kept)
                """))
                .isEqualTo(
                        "REVIEW\n-kept.append((step, y if step else None))\n+kept.append((step, y.detach().cpu() if step else None))");
    }

    @Test
    void aTupleOfTensorsIsMovedPartByPart() {
        assertThat(cured("""
                import torch
                from torch import nn
                class Net(nn.Module):
                    def forward(self, x):
                >       y = torch.tanh(x)
                        return y, y.sum()
                net = Net().cuda()
                kept = []
                for x in batches:
                    kept.append(net(x))
                save(kept)
                """, 10))
                .isEqualTo("REVIEW\n-kept.append(net(x))\n+kept.append(tuple(part.detach().cpu() for part in net(x)))");
    }

    @Test
    void nothingIsMovedThatIsComputedWithOtherTensors() {
        assertThat(cured("""
                import torch
                kept = []
                weights = torch.ones(8, device="cuda")
                for x in batches:
                >   kept.append(torch.tanh(x))
                torch.stack(kept) @ weights
                """)).isEmpty();
    }

    @Test
    void whatIsReadTogetherIsMovedTogether() {
        String metric = """
                import torch
                class Accuracy:
                    def __init__(self):
                        self.guesses, self.labels = [], []
                    def update(self, scores, labels):
                >       self.guesses.append(scores.softmax(-1).detach())
                        self.labels.append(labels)
                    def compute(self):
                        found = torch.cat(self.guesses).topk(3).indices
                        return (found == %s[:, None]).any(-1).float().mean()
                accuracy = Accuracy()
                for scores, labels in batches:
                    accuracy.update(scores, torch.argmax(labels))
                """;
        assertThat(cured(metric.formatted("torch.cat(self.labels)"), 13)).isEqualTo("""
                        REVIEW
                        -self.guesses.append(scores.softmax(-1).detach())
                        -self.labels.append(labels)
                        +self.guesses.append(scores.softmax(-1).detach().cpu())
                        +self.labels.append(labels.detach().cpu())""");
        assertThat(cured(metric.formatted("torch.zeros(8, device='cuda')"), 13)).isEmpty();
    }

    @Test
    void ofWhatNothingReadsTheNewestStays() {
        String scratch = """
                import threading, torch
                local = threading.local()
                def workspace(rows):
                    if not hasattr(local, "scratch"):
                        local.scratch = []
                >   buffer = torch.empty(rows, 8)
                    local.scratch.append(buffer)
                    return buffer
                for rows in batches:
                    run(workspace(rows))
                %s
                """;
        assertThat(cured(scratch.formatted(""), 10)).isEqualTo("REVIEW\n+del local.scratch[:-1]");
        assertThat(cured(scratch.formatted("save(local.scratch)"), 10))
                .contains("+local.scratch.append(buffer.detach().cpu())");
    }

    @Test
    void attributesThatNothingReadsAreGivenNone() {
        String spans = """
                import torch
                class Span:
                    def __init__(self, name):
                        self.name, self.out = name, None
                done = []
                for name in names:
                    span = Span(name)
                >   span.out = torch.tanh(name.x)
                    done.append(span)
                print([%s for span in done])
                """;
        assertThat(cured(spans.formatted("span.name")))
                .isEqualTo("REVIEW\n-span.out = torch.tanh(name.x)\n+span.out = None");
        assertThat(cured(spans.formatted("span.out"))).doesNotContain("None");
    }

    @Test
    void anElementWithAnEffectIsMadeWhereOnlyTheNumberIsKept() {
        assertThat(cured("""
                import torch
                outs, right = [], 0
                outs.clear()
                for x in batches:
                >   outs += [out := model(torch.relu(x))]
                    right += (out.argmax(-1) == 0).sum().item()
                print(right / len(outs))
                """))
                .isEqualTo(
                        "SAFE\n-outs += [out := model(torch.relu(x))]\n+(out := model(torch.relu(x)))\n+outs += [None]");
    }

    @Test
    void anEntryThatEndsIsTakenOutWhateverIsClearedBetweenRuns() {
        assertThat(cured("""
                import torch
                active = {}
                def begin(number, x):
                >   active[number] = {"prompt": torch.relu(x), "done": False}
                def finish(number):
                    request = active[number]
                    request["done"] = True
                    return request["prompt"].argmax(-1).cpu()
                def main():
                    active.clear()
                    for number, x in enumerate(batches):
                        begin(number, x)
                        finish(number)
                if __name__ == "__main__":
                    main()
                """, 12)).isEqualTo("REVIEW\n-request = active[number]\n+request = active.pop(number)");
    }

    @Test
    void aCallByANameThatATextGivesIsFollowed() {
        assertThat(cured("""
                import torch
                class Log:
                    def __init__(self):
                        self.values = {}
                    def on_step(self, **values):
                        for name, value in values.items():
                            self.values.setdefault(name, []).append(value)
                    def last(self):
                        return self.values["loss"][-1].item()
                def fire(log, event, *given, **named):
                    getattr(log, event)(*given, **named)
                log = Log()
                for x in batches:
                >   loss = torch.tanh(x)
                    fire(log, "on_step", loss=loss)
                    print(log.last())
                """)).isEqualTo("SAFE\n+del self.values[name][:-1]");
    }

    @Test
    void noGraphIsCutThatABackwardPassGoesOver() {
        assertThat(cured("""
                import torch
                losses = []
                for x in batches:
                >   losses.append(torch.tanh(x))
                torch.stack(losses).mean().backward()
                """)).isEmpty();
    }

    @Test
    void aStateOfTwoPartsIsDetachedBehindTheBackwardPass() {
        assertThat(cured("""
                import torch
                from torch import nn
                cell = nn.LSTMCell(4, 8).cuda()
                state = (torch.zeros(2, 8), torch.zeros(2, 8))
                for x in batches:
                >   state = cell(x, state)
                    loss = state[0].mean()
                    loss.backward(retain_graph=True)
                """)).isEqualTo("REVIEW\n+state = tuple(part.detach() for part in state)");
    }

    @Test
    void aSlotThatIsGivenAnewEachTimeIsNotWhatGrows() {
        assertThat(cured("""
                import torch
                slots, lost = [None] * 8, []
                for step, x in enumerate(batches):
                >   value = torch.tanh(x)
                    lost.append(slots[step % 8])
                    slots[step % 8] = value
                print(len(lost))
                """)).isEqualTo("SAFE\n-lost.append(slots[step % 8])\n+lost.append(None)");
    }

    /** The first cure: whether it is safe, and its changes without indentation. */
    static String cured(String source, int... calls) {
        KeptSearch search = search(source, calls);
        return search.find(true).map(kept -> Cures.of(search, kept, null, false, true)).orElse(List.of()).stream()
                .findFirst()
                .map(CuresTest::shown)
                .orElse("");
    }

    /** The statement that keeps what the line makes; empty where none does. */
    static String kept(String source, int... calls) {
        return search(source, calls)
                .find(false)
                .map(kept -> kept.file().text(kept.statement()))
                .orElse("");
    }

    /** The first cure of a hook that each step registers. */
    static String piled(String source, int... calls) {
        return new Hooks(search(source, calls))
                .piled().stream()
                        .flatMap(keeper -> keeper.cures().stream())
                        .findFirst()
                        .map(CuresTest::shown)
                        .orElse("");
    }

    private static KeptSearch search(String source, int... calls) {
        List<String> lines = source.lines().toList();
        String text =
                lines.stream().map(line -> line.replaceFirst("^>", " ")).collect(Collectors.joining("\n", "", "\n"));
        SourceFile file = new SourceFile("train.py", text);
        Program program = new Program((_, _) -> null);
        program.add(file);
        int marked = 1
                + (int) lines.stream().takeWhile(line -> !line.startsWith(">")).count();
        List<Call> stack = IntStream.concat(IntStream.of(marked), IntStream.of(calls))
                .mapToObj(line -> new Call(file, line))
                .toList();
        return new KeptSearch(program, stack);
    }

    private static String shown(Cure cure) {
        List<String> sides = Diff.sides(Diff.of(cure.edits()).orElseThrow());
        return cure.safety() + marked("-", sides.getFirst()) + marked("+", sides.getLast());
    }

    private static String marked(String mark, String side) {
        return side.lines().map(line -> "\n" + mark + line).collect(Collectors.joining());
    }
}
