package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule: code that leaks, and the same code one word apart that does not. */
final class RulesTest {
    private static final String TRAIN = """
            import torch
            def run(net, pages, opt):
                seen, kept = 0.0, []
                for page, mark in pages:
                    cost = torch.nn.functional.mse_loss(net(page), mark)
                    opt.zero_grad()
                    cost.backward()
                    opt.step()
                    STATEMENT
                return kept
            """;

    static Stream<Arguments> training() {
        return Stream.of(
                Arguments.of("kept.append(cost)", List.of("LK001:9")),
                Arguments.of("kept.append((cost, 1))", List.of("LK001:9")),
                Arguments.of("kept += [cost]", List.of("LK001:9")),
                Arguments.of("seen += cost", List.of("LK001:9")),
                Arguments.of("seen = 0.9 * seen + 0.1 * cost", List.of("LK001:9")),
                Arguments.of("kept.append(cost.cpu())", List.of("LK001:9")),
                Arguments.of("kept.append(cost.item())", List.of()),
                Arguments.of("kept.append(float(cost))", List.of()),
                Arguments.of("kept.append((cost.detach().cpu(), 1))", List.of()),
                Arguments.of("seen += cost.detach()", List.of()),
                Arguments.of("seen = cost", List.of()),
                Arguments.of("kept = [cost]", List.of()),
                Arguments.of("kept.append(mark.cpu())", List.of()),
                Arguments.of("torch.cuda.empty_cache()", List.of("LK010:9")),
                Arguments.of("if seen > 100: torch.cuda.empty_cache()", List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void training(String statement, List<String> expected) {
        assertThat(Linted.of(TRAIN.replace("STATEMENT", statement))).isEqualTo(expected);
    }

    static Stream<Arguments> files() {
        return Stream.of(
                Arguments.of("losses of a window are summed for one backward", """
                        import torch
                        def run(net, pages, opt):
                            parts = []
                            for i, page in enumerate(pages):
                                parts.append(net(page).mean())
                                if i % 8 == 7:
                                    torch.stack(parts).sum().backward()
                                    opt.step()
                                    parts = []
                        """, List.of()),
                Arguments.of("a helper of a step with a graph and of one without", """
                        import torch
                        import pytorch_lightning as pl
                        class Net(pl.LightningModule):
                            def __init__(self):
                                super().__init__()
                                self.layer = torch.nn.Linear(4, 4)
                                self.kept = []
                                self.seen = []
                            def both(self, batch):
                                return torch.nn.functional.mse_loss(self.layer(batch), batch)
                            def training_step(self, batch, at):
                                loss = self.both(batch)
                                self.kept.append(loss)
                                return loss
                            def validation_step(self, batch, at):
                                self.seen.append(self.both(batch).cpu())
                        """, List.of("LK001:13")),
                Arguments.of("a child that is put on the parent that it was given", """
                        import torch
                        class Parent:
                            def __init__(self):
                                self.grid = torch.zeros(9, device="cuda")
                                self.children = []
                        class Child:
                            def __init__(self, parent):
                                self.parent = parent
                                self.grid = torch.zeros(9, device="cuda")
                        def run(pages):
                            for page in pages:
                                parent = Parent()
                                child = Child(parent)
                                parent.children.append(child)
                        """, List.of("LK005:14")),
                Arguments.of("objects that hold each other, and are deleted by name", """
                        import torch
                        class Half:
                            def __init__(self, page):
                                self.page = page
                                self.other = None
                            def pair(self, other):
                                self.other = other
                                other.other = self
                        left, right = Half(torch.ones(9)), Half(torch.ones(9))
                        left.pair(right)
                        del left, right
                        """, List.of("LK005:8")),
                Arguments.of("objects that hold each other, and stay", """
                        import torch
                        class Half:
                            def __init__(self, page):
                                self.page = page
                                self.other = None
                            def pair(self, other):
                                self.other = other
                                other.other = self
                        left, right = Half(torch.ones(9)), Half(torch.ones(9))
                        left.pair(right)
                        """, List.of()),
                Arguments.of("a fragment whose pass is only read, which may be part of anything", """
                        sums = []
                        for page in pages:
                            out = model(page)
                            sums.append(out.item())
                        """, List.of()),
                Arguments.of("a pass that is only read, in a function", """
                        import torch
                        def sums_of(model, pages):
                            sums = []
                            for page in pages:
                                out = model(page)
                                sums.append(out.item())
                            return sums
                        """, List.of("LK002:5")),
                Arguments.of("a pass that is read, and kept in a tuple", """
                        import torch
                        def mine(model, pages):
                            kept = []
                            for page in pages:
                                out = model(page).mean()
                                if out > 1:
                                    kept.append((out, 1))
                            return [float(out) for out, _ in kept]
                        """, List.of("LK001:7", "LK002:5")),
                Arguments.of("the exception of another thread", """
                        import torch
                        def work(page):
                            return torch.matmul(torch.zeros(9, 9, device="cuda"), page)
                        def run(pool, pages):
                            errors = []
                            for page in pages:
                                future = pool.submit(work, page)
                                try:
                                    future.result()
                                except RuntimeError as e:
                                    errors.append(e)
                            return errors
                        """, List.of("LK011:11")),
                Arguments.of("the exception of an executor", """
                        import torch
                        def work(page):
                            return torch.matmul(torch.zeros(9, 9, device="cuda"), page)
                        async def run(loop, pages):
                            errors = []
                            for page in pages:
                                try:
                                    await loop.run_in_executor(None, work, page)
                                except RuntimeError as e:
                                    errors.append(e)
                            return errors
                        """, List.of("LK011:10")),
                Arguments.of("a pass whose result is only read", """
                        import torch
                        def guess(net, pages):
                            net.eval()
                            for page in pages:
                                yield net(page).argmax(-1).tolist()
                        """, List.of("LK002:5")),
                Arguments.of("the same under no_grad by its only caller", """
                        import torch
                        def guess(net, page):
                            return net(page).argmax(-1).tolist()
                        def main(net, pages):
                            with torch.no_grad():
                                return [guess(net, page) for page in pages]
                        """, List.of()),
                Arguments.of("grad mode by a decorator of the file's own", """
                        import functools, torch
                        def quiet(f):
                            @functools.wraps(f)
                            def inner(*args):
                                with torch.inference_mode():
                                    return f(*args)
                            return inner
                        @quiet
                        def guess(net, page):
                            return net(page).argmax(-1).tolist()
                        """, List.of()),
                Arguments.of("frozen parameters", """
                        import torch
                        def guess(net, pages):
                            for p in net.parameters():
                                p.requires_grad_(False)
                            return [net(page).argmax(-1).tolist() for page in pages]
                        """, List.of()),
                Arguments.of("a graph kept for nobody", """
                        def run(net, page, opt):
                            cost = net(page).mean()
                            cost.backward(retain_graph=True)
                            opt.step()
                        """, List.of("LK003:3")),
                Arguments.of("a graph kept for the second loss", """
                        def run(net, page, opt):
                            out = net(page)
                            out.mean().backward(retain_graph=True)
                            out.var().backward()
                            opt.step()
                        """, List.of()),
                Arguments.of("a table without limit", """
                        import torch
                        table = {}
                        def mask(n):
                            if n not in table:
                                table[n] = torch.ones(n, n, device="cuda").tril()
                            return table[n]
                        """, List.of("LK004:5")),
                Arguments.of("a table with a limit", """
                        import torch
                        table = {}
                        def mask(n):
                            if n not in table:
                                if len(table) > 9:
                                    table.clear()
                                table[n] = torch.ones(n, n, device="cuda").tril()
                            return table[n]
                        """, List.of()),
                Arguments.of("a table of what is in host memory", """
                        import torch
                        table = {}
                        def mask(n):
                            if n not in table:
                                table[n] = torch.ones(n, n).tril()
                            return table[n]
                        """, List.of()),
                Arguments.of("a cycle in each request", """
                        import torch
                        class Request:
                            def __init__(self, rows):
                                self.rows = torch.zeros(rows, device="cuda")
                                self.done = lambda: self.rows.sum()
                        def serve(sizes):
                            for size in sizes:
                                Request(size).done()
                        """, List.of("LK005:5")),
                Arguments.of("one object for the whole run", """
                        import torch
                        class Request:
                            def __init__(self, rows):
                                self.rows = torch.zeros(rows, device="cuda")
                                self.done = lambda: self.rows.sum()
                        only = Request(5)
                        """, List.of()),
                Arguments.of("a metric over all epochs", """
                        from torchmetrics import CatMetric
                        def run(pages, epochs):
                            metric = CatMetric()
                            for _ in range(epochs):
                                for page in pages:
                                    metric.update(page)
                        """, List.of("LK007:6")),
                Arguments.of("a metric that is reset", """
                        from torchmetrics import CatMetric
                        def run(pages, epochs):
                            metric = CatMetric()
                            for _ in range(epochs):
                                metric.reset()
                                for page in pages:
                                    metric.update(page)
                        """, List.of()),
                Arguments.of("a cache of tensors", """
                        import functools, torch
                        @functools.cache
                        def steps(n: int):
                            return torch.arange(n, device="cuda")
                        """, List.of("LK009:2")),
                Arguments.of("a cache of numbers", """
                        import functools, torch
                        @functools.cache
                        def steps(n: int):
                            return n * 2
                        """, List.of()),
                Arguments.of("an exception that stays", """
                        import torch
                        broken = []
                        def run(net, page):
                            try:
                                return net(page).argmax().item()
                            except RuntimeError as error:
                                broken.append(error)
                        """, List.of("LK002:5", "LK011:7")),
                Arguments.of("a comment that switches rules off", """
                        import torch
                        broken = []
                        def run(net, page):
                            try:
                                return net(page).argmax().item()  # leakline: ignore[LK002]
                            except RuntimeError as error:
                                broken.append(error)  # leakline: ignore
                        """, List.of()),
                Arguments.of("old names", """
                        from torch.cuda.amp import GradScaler
                        scaler = GradScaler()
                        """, List.of("LK013:2")),
                Arguments.of("outputs of a pass", """
                        import torch
                        @torch.no_grad()
                        def embed(net, pages):
                            rows = []
                            for page in pages:
                                rows.append(net(page))
                            return torch.cat(rows)
                        """, List.of("LK014:6")),
                Arguments.of("outputs of the layers of one pass", """
                        import torch
                        from torch import nn
                        class Net(nn.Module):
                            def forward(self, x):
                                rows = []
                                for layer in self.layers:
                                    x = layer(x)
                                    rows.append(x)
                                return rows
                        """, List.of()),
                Arguments.of("numbers that are called losses", """
                        losses = []
                        for loss in [1, 2, 3]:
                            losses.append(loss)
                        """, List.of()));
    }

    /** What a step gives to OBJECT, of which STATEMENT keeps something, is line 12. */
    private static final String GIVEN = """
            import torch
            from dataclasses import dataclass
            @dataclass
            class Record:
                step: int
                loss: object
            class Meter:
                def __init__(self, net):
                    self.net, self.sum, self.rows = net, 0, []
                    self.shadow = {name: p.detach().clone() for name, p in net.named_parameters()}
                def update(self, value):
                    STATEMENT
                def mean(self):
                    return self.sum / 9
            def run(net, pages, opt):
                OUTSIDE
                for page, mark in pages:
                    INSIDE
                    loss = torch.nn.functional.mse_loss(net(page), mark)
                    opt.zero_grad()
                    loss.backward()
                    opt.step()
                    meter.update(GIVEN)
                return meter.mean()
            """;

    static Stream<Arguments> given() {
        String shadow =
                "for name, p in self.net.named_parameters(): self.shadow[name] = 0.9 * self.shadow[name] + 0.1 * ";
        return Stream.of(
                Arguments.of("self.sum += value * 2", "loss", "LK001"),
                Arguments.of("self.sum += value * 2", "loss.item()", ""),
                Arguments.of("self.rows.append(value)", "Record(1, loss)", "LK001"),
                Arguments.of("self.rows.append(value)", "Record(step=1, loss=loss)", "LK001"),
                Arguments.of("self.rows.append(value)", "Record(1, loss.item())", ""),
                Arguments.of("self.rows.append(value)", "lambda: f'{loss}'", "LK001"),
                Arguments.of("self.rows.append(value)", "lambda loss=loss: f'{loss}'", "LK001"),
                Arguments.of("self.rows.append(value)", "lambda loss=loss.item(): f'{loss}'", ""),
                Arguments.of(shadow + "p", "loss.item()", "LK001"),
                Arguments.of(shadow + "p.detach()", "loss.item()", ""),
                Arguments.of("for p in self.net.parameters(): p.data = 0.9 * p.data + 0.1 * p", "loss.item()", ""));
    }

    @ParameterizedTest
    @MethodSource
    void given(String statement, String given, String rule) {
        String text = GIVEN.replace("STATEMENT", statement).replace("GIVEN", given);
        String lasting = text.replace("OUTSIDE", "meter = Meter(net)").replace("INSIDE", "pass");
        assertThat(Linted.of(lasting)).isEqualTo(rule.isEmpty() ? List.of() : List.of(rule + ":12"));
        String anew = text.replace("OUTSIDE", "pass").replace("INSIDE", "meter = Meter(net)");
        assertThat(Linted.of(anew)).isEmpty();
    }

    /** A camera keeps frames; KEEP is line 12. */
    private static final String FRAMES = """
            import torch
            class Frame:
                def __init__(self, pixels, before):
                    self.pixels, self.before = pixels, before
            class Camera:
                frames = {}
                def __init__(self, model):
                    self.model, self.last = model, None
                @torch.no_grad()
                def post(self, request):
                    pixels = torch.tensor(request["pixels"], device="cuda")
                    KEEP
            def serve(model, requests):
                camera = Camera(model)
                for request in requests:
                    camera.post(request)
            """;

    static Stream<Arguments> frames() {
        return Stream.of(
                Arguments.of("self.last = Frame(pixels, self.last)", List.of("LK004:12")),
                Arguments.of("self.last = Frame(pixels, None)", List.of()),
                Arguments.of("Camera.frames[request['id']] = self.model.encode(pixels)", List.of("LK004:12")),
                Arguments.of("Camera.frames[request['id']] = self.model.encode(pixels).cpu()", List.of()),
                Arguments.of("Camera.frames[request['id']] = self.reader.encode(pixels)", List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void frames(String keep, List<String> expected) {
        assertThat(Linted.of(FRAMES.replace("KEEP", keep))).isEqualTo(expected);
    }

    /** A method is cached; ARGUMENTS and SIZE are of it. */
    private static final String CACHED = """
            import functools, torch
            from torch import nn
            class Reader(nn.Module):
                @functools.lru_cache(maxsize=SIZE)
                def read(selfARGUMENTS):
                    return torch.zeros(9, device="cuda")
            """;

    private static String saidOfCached(String arguments, String size) {
        String text = CACHED.replace("ARGUMENTS", arguments).replace("SIZE", size);
        return Linted.findings(text).getFirst().message();
    }

    @Test
    void theEntriesOfACachedMethodComeBeforeWhatItBelongsTo() {
        assertThat(saidOfCached(", page", "None"))
                .isEqualTo("the cache keeps the tensors of every distinct call, and nothing takes them out;"
                        + " it also holds self, and what it owns");
        assertThat(saidOfCached(", page", "8")).startsWith("the cache of a method holds self");
        assertThat(saidOfCached("", "None")).startsWith("the cache of a method holds self");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void files(String name, String text, List<String> expected) {
        assertThat(Linted.of(text)).as(name).isEqualTo(expected);
    }

    @Test
    void whatIsKeptIsFollowedToTheNameThatAConditionGivesIt() {
        List<LintFinding> found = Linted.findings("""
                import torch
                def run(net: torch.nn.Module, pages):
                    seen = []
                    for page in pages:
                        if (feature := net(page)) is not None:
                            seen.append(feature)
                """);
        assertThat(found.getFirst().related()).contains(5);
    }

    @Test
    void nothingIsEvictedFromAListOfSlotsOrByALimitThatTheProgramDoesNotHave() {
        String table = """
                import torch
                WINDOW = 8
                table = SLOTS
                def mask(n):
                    if table[n] is None:
                        table[n] = torch.ones(n, n, device="cuda").tril()
                    return table[n]
                """;
        String dict = table.replace("SLOTS", "{}");
        assertThat(Linted.findings(dict).toString()).contains("while len(table) > WINDOW:");
        assertThat(Linted.findings(dict.replace("WINDOW = 8", "")).toString()).doesNotContain("next(iter(", "LIMIT");
        for (String slots : List.of("[]", "[None] * 8", "[None for _ in range(8)]")) {
            assertThat(Linted.findings(table.replace("SLOTS", slots)).toString())
                    .doesNotContain("next(iter(");
        }
    }
}
