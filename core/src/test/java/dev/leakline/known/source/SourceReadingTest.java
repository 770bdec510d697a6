package dev.leakline.known.source;

import static dev.leakline.known.source.PythonLines.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of Python, the one that allocates marked by an arrow, and what is read in them. */
class SourceReadingTest {
    private static final Diagnosis GRAPH = Diagnosis.inferred(Cause.GRAPH_KEPT, Cause.CONTAINER);
    private static final Diagnosis CONTAINER = Diagnosis.recorded(Cause.CONTAINER);
    private static final Diagnosis EXCEPTION = Diagnosis.inferred(Cause.EXCEPTION, Cause.CONTAINER);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kept.append(x @ x.T)                      | kept.append((x @ x.T).detach().cpu())
            kept.append(f(x) + g(x))                  | kept.append((f(x) + g(x)).detach().cpu())
            kept.append(await answer(x))              | kept.append(torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), await answer(x)))
            kept.append(f(x)[0])                      | kept.append(torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), f(x)[0]))
            kept.append(x if even else None)          | kept.append(x.detach().cpu() if even else None)
            kept.append(x + 1 if even else f(x))      | kept.append((x + 1).detach().cpu() if even else torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), f(x)))
            kept.insert(0, x)                         | kept.insert(0, x.detach().cpu())
            """)
    void aCallGoesBehindTheWholeOfWhatIsKept(String line, String edited) {
        Finding read = read(CONTAINER, """
                def gather(kept, even):
                >   x = torch.ones(64, device="cuda")
                    LINE
                """.replace("LINE", line));
        assertThat(first(read).after()).isEqualTo(edited);
    }

    @Test
    void whatIsCarriedIsDetachedBehindTheBackwardPassThatNeedsIt() {
        Finding read = read(GRAPH, """
                def train(net, loader, state):
                    for page in loader:
                >       state = net(page, state)
                        loss = head(state).mean()
                        loss.backward(retain_graph=True)
                        optimizer.step()
                """);
        assertThat(first(read).before()).isEqualTo("loss.backward(retain_graph=True)");
        assertThat(first(read).after())
                .isEqualTo(
                        "loss.backward(retain_graph=True)\nstate = torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach(), state)");
    }

    @Test
    void nothingIsEvictedFromAListOfSlots() {
        Finding read = read(CONTAINER, """
                class Ring:
                    def __init__(self):
                        self.slots = [None] * 8

                    def put(self, place):
                >       value = torch.ones(64, device="cuda")
                        self.slots[place] = value
                """);
        assertThat(read.advice())
                .noneMatch(
                        advice -> Objects.requireNonNullElse(advice.after(), "").contains("next(iter("));
    }

    @Test
    void aHookThatRefersToWhatItsMakerMadeIsRemoved() {
        Finding read = read(CONTAINER, """
                def watch(layer):
                >   scale = torch.ones(64, device="cuda")

                    def apply(module, given, output):
                        return output * scale

                    layer.register_forward_hook(apply)
                """);
        assertThat(read.cause()).isEqualTo("hook");
        assertThat(read.title()).isEqualTo("hooks that pile up keep tensors");
        assertThat(Objects.requireNonNull(read.explanation()).text())
                .endsWith("Line 7 shows it: layer.register_forward_hook(apply)");
        assertThat(first(read).after()).isEmpty();
    }

    @Test
    void theLineThatRegistersAHookIsFoundWhereHooksAreKnownToPileUp() {
        Finding read = read(Diagnosis.inferred(Cause.HOOKS_KEEP, Cause.CONTAINER), """
                def damp(weight):
                >   scale = torch.ones(64, device="cuda")
                    weight.register_hook(lambda gradient: gradient * scale)
                """);
        assertThat(read.explanation()).isNotNull();
        assertThat(read.explanation().basis()).isEqualTo(Basis.SOURCE);
        assertThat(read.explanation().text())
                .endsWith("Line 3 shows it: weight.register_hook(lambda gradient: gradient * scale)");
    }

    @Test
    void aHookThatRefersToNothingOfItIsNotAccused() {
        assertThat(read(CONTAINER, """
                def watch(layer):
                >   scale = torch.ones(64, device="cuda")

                    def apply(module, given, output):
                        return output * 2

                    layer.register_forward_hook(apply)
                    scales.append(scale)
                """).cause()).isEqualTo("kept_in_container");
    }

    @Test
    void aHookThatStoresWhatAModuleMadeIsFoundInTheFile() {
        Finding read = read(
                CONTAINER,
                """
                class Watch:
                    def __init__(self, layer):
                        self.seen = []
                        layer.register_forward_hook(self.see)
                    def see(self, module, given, output):
                        self.seen.append(output)
                    def save(self):
                        write(self.seen)
                def main(net):
                    for step in range(9):
                >       net(step).sum().item()
                """,
                new Proof(
                        "64 blocks",
                        new Site(Site.Kind.TORCH, new Frame("/t/torch/nn/linear.py", 1, "forward")),
                        1,
                        1));
        assertThat(read.cause()).isEqualTo("hook");
        assertThat(first(read).after())
                .isEqualTo(
                        "self.seen.append(torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), output))");
        assertThat(first(read).action()).contains("handle.remove()");
    }

    @Test
    void aRunningAverageIsDetachedWhereItIsCarriedOn() {
        Finding read = read(GRAPH, """
                mean = 0.0
                for batch in batches:
                >   error = distance(net(batch), batch)
                    mean = 0.5 * mean + 0.5 * error
                """);
        assertThat(read.cause()).isEqualTo("autograd_graph_kept");
        assertThat(first(read).after()).isEqualTo("mean = (0.5 * mean + 0.5 * error).detach()");
    }

    @Test
    void whatIsMadeAnewInEachIterationIsNotCarriedOn() {
        Finding read = read(GRAPH, """
                for batch in batches:
                >   error = distance(net(batch), batch)
                    total = penalty(net)
                    total = total + error
                    kept.append(total)
                """);
        assertThat(first(read).after()).isEqualTo("kept.append(total.detach().cpu())");
    }

    @Test
    void aResultWithItsGraphIsDetachedWhereItIsAppended() {
        Finding read = read(GRAPH, """
                def main(net):
                    outs = []
                    for step in range(9):
                >       y = net(step)
                        z = y.relu()
                        outs.append(z)
                """);
        assertThat(read.cause()).isEqualTo("autograd_graph_kept");
        assertThat(basis(read)).isEqualTo(Basis.SOURCE);
        assertThat(first(read).before()).isEqualTo("outs.append(z)");
        assertThat(first(read).after()).isEqualTo("outs.append(z.detach().cpu())");
    }

    @Test
    void nothingIsSavedForABackwardPassUnderNoGrad() {
        Finding read = read(GRAPH, """
                def main(net):
                    with torch.no_grad():
                        for step in range(9):
                >           y = net(step)
                            outs.append((y, step))
                """);
        assertThat(read.cause()).isEqualTo("kept_in_container");
        assertThat(first(read).after())
                .isEqualTo(
                        "outs.append((torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), y), step))");
    }

    @Test
    void whatIsDetachedKeepsNoGraph() {
        assertThat(read(GRAPH, """
                def main(net):
                >   y = net(1)
                    outs.append(y.detach())
                """).cause()).isEqualTo("kept_in_container");
    }

    @Test
    void aStateThatIsCarriedOnIsDetached() {
        Finding read = read(GRAPH, """
                def main(cell):
                    for step in range(9):
                >       h = cell(step, h)
                """);
        assertThat(first(read).after())
                .isEqualTo(
                        "h = torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach(), cell(step, h))");
    }

    @Test
    void aSumIsDetachedWhereItGrows() {
        Finding read = read(GRAPH, """
                def validate(net, total):
                >   loss = net(1).mean()
                    total += loss
                    return total
                """);
        assertThat(first(read).after()).isEqualTo("total += loss.detach()");
    }

    @Test
    void retainGraphIsTheCauseOnlyWhereItIsCalled() {
        Finding read = read(GRAPH, """
                def main(net):
                >   loss = net(1).mean()
                    loss.backward(retain_graph=True)
                    losses.append(loss)
                """);
        assertThat(read.title()).contains("retain_graph=True");
        assertThat(first(read).after()).isEqualTo("losses.append(loss.detach().cpu())");
    }

    @Test
    void aHandlerThatStoresATensorKeepsNoTraceback() {
        Finding read = read(EXCEPTION, """
                def main(net):
                    try:
                >       handle(net)
                    except Rejected as error:
                        rejected.append(error.args[1])
                """);
        assertThat(read.cause()).isEqualTo("kept_in_container");
        assertThat(first(read).after())
                .isEqualTo(
                        "rejected.append(torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), error.args[1]))");
    }

    @Test
    void aHandlerThatStoresTheExceptionIsToStoreItsText() {
        Finding read = read(EXCEPTION, """
                def main(net):
                    try:
                >       handle(net)
                    except ValueError as error:
                        failures.append((7, error))
                """);
        assertThat(read.cause()).isEqualTo("exception_traceback");
        assertThat(first(read).after()).isEqualTo("failures.append((7, error.with_traceback(None)))");
    }

    @Test
    void aMemoizedFunctionIsGivenALimit() {
        Finding read = read(CONTAINER, """
                @functools.lru_cache(maxsize=None)
                def table(length):
                >   return torch.arange(length)
                """);
        assertThat(read.title()).contains("memoized");
        assertThat(first(read).after()).isEqualTo("@functools.lru_cache(maxsize=LIMIT)");
    }

    @Test
    void aDictIsBounded() {
        Finding read = read(CONTAINER, """
                cache = {}

                def look(key):
                    if key in cache:
                        return cache[key]
                >   value = compute(key)
                    cache[key] = value
                    return value
                """);
        assertThat(read.cause()).isEqualTo("unbounded_cache");
        assertThat(first(read).after()).isEqualTo("""
                cache[key] = value
                while len(cache) > LIMIT:
                    cache.pop(next(iter(cache)))""");
    }

    @Test
    void aSliceIsCopied() {
        Finding read = read(CONTAINER, """
                def main():
                >   logits = net(x)
                    firsts.append(logits[:4])
                """);
        assertThat(read.cause()).isEqualTo("view_keeps_storage");
        assertThat(first(read).after())
                .isEqualTo(
                        "firsts.append(torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), logits[:4]))");
    }

    @Test
    void aGeneratorThatIsSuspendedKeepsItsVariables() {
        assertThat(read(CONTAINER, """
                def stream(net):
                >   state = net(1)
                    yield state.sum()
                """).cause()).isEqualTo("generator");
    }

    @Test
    void whoeverKeepsAGeneratorIsToCloseIt() {
        Finding read = read(CONTAINER, """
                def stream(net, x):
                    yield net(x)

                def main(net):
                >   answer = stream(net, torch.randn(4))
                    streams.append(answer)
                """);
        assertThat(read.cause()).isEqualTo("generator");
        assertThat(first(read).after()).isEqualTo("streams.append(answer)\nstreams.remove(answer)");
    }

    @Test
    void keptGradientsAreCopiedToTheHost() {
        Finding read = read(Diagnosis.inferred(Cause.BACKWARD, Cause.GRAPH_KEPT), """
                def main(net):
                >   loss.backward()
                    history.append([p.grad for p in net.parameters()])
                """);
        assertThat(first(read).after()).isEqualTo("history.append([p.grad.detach().cpu() for p in net.parameters()])");
    }

    @Test
    void autocastAroundTheLoopKeepsCopiesOfWeights() {
        Finding read = read(CONTAINER, """
                def main():
                    with torch.autocast("cuda", dtype=torch.float16):
                        for step in range(9):
                >           F.linear(x, make())
                """);
        assertThat(read.cause()).isEqualTo("autocast_cache");
        assertThat(first(read).after())
                .isEqualTo("with torch.autocast(\"cuda\", dtype=torch.float16, cache_enabled=False):");
    }

    @Test
    void whatIsLetGoAsANumberIsNotKept() {
        Finding before = PythonLines.finding(GRAPH, List.of(2));
        Finding read = read(GRAPH, """
                def main(net):
                >   loss = net(1)
                    losses.append(loss.item())
                """);
        assertThat(read.cause()).isEqualTo(before.cause());
        assertThat(basis(read)).isEqualTo(Basis.INFERRED);
    }

    private static Basis basis(Finding finding) {
        return Objects.requireNonNull(finding.explanation()).basis();
    }

    private static Advice first(Finding finding) {
        return finding.advice().getFirst();
    }
}
