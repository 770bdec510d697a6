package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What only looks like a model, a tensor or a container that stays, beside the same where it is one. */
final class LookalikesTest {
    /** A pass, or none, whose result is read; PASS is line 4. */
    private static final String READ = """
        import functools, torch
        class Runner(Base):
            def read(self, pages, make, model, op):
                PASS
                return answer.argmax(-1).tolist()
        """;

    static Stream<Arguments> passes() {
        return Stream.of(
                Arguments.of("answer = model(pages)", List.of("LK002:4")),
                Arguments.of("answer = load_model(pages)", List.of()),
                Arguments.of("answer = model()", List.of()),
                Arguments.of("answer = model(7, None, 'page')", List.of()),
                Arguments.of("answer = self.resize(pages)", List.of()),
                Arguments.of("answer = make.of(pages)", List.of()),
                Arguments.of("given_fn = make.fn; answer = given_fn(pages)", List.of()),
                Arguments.of("given = make.pass_through; answer = given(pages)", List.of("LK002:4")),
                Arguments.of("given = functools.partial(torch.rand, device='cuda'); answer = given(pages)", List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void passes(String pass, List<String> expected) {
        assertThat(Linted.of(READ.replace("PASS", pass))).as(pass).isEqualTo(expected);
    }

    /** Something is put where it stays; STORE is line 8. */
    private static final String KEPT = """
        import torch
        from library import Source, Odd
        class Table:
            def __init__(self):
                self.rows = {}
                self.all = []
            def put(self, page, source: Source, sheet: torch.Tensor, pool):
                STORE
                return page.argmax(), source.expand(), self.all
        """;

    static Stream<Arguments> stores() {
        return Stream.of(
                Arguments.of("self.all.append(sheet.cuda())", List.of("LK004:8")),
                Arguments.of("self.all.append(sheet.shape)", List.of()),
                Arguments.of("self.all.append(sheet._version)", List.of()),
                Arguments.of("source = source.of(1); self.all.append(source)", List.of()),
                Arguments.of("page = page.of(1); self.all.append(page)", List.of("LK004:8")),
                Arguments.of("self.all.append(torch.Size([1, 2]))", List.of()),
                Arguments.of("self.all.append(torch.Generator(device='cuda'))", List.of()),
                Arguments.of("self.all.append(torch.zeros(9, device='cuda'))", List.of("LK004:8")),
                Arguments.of("self.all.append(pool.submit(source, 1))", List.of()),
                Arguments.of("self.rows[page.key] = sheet.cuda()", List.of("LK004:8")),
                Arguments.of("self.rows[self] = sheet.cuda()", List.of()),
                Arguments.of("self.rows[page.module] = sheet.cuda()", List.of()),
                Arguments.of("if isinstance(sheet, torch.Tensor): self.all.append(sheet)", List.of("LK004:8")),
                Arguments.of("if isinstance(sheet, Odd): self.all.append(sheet)", List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void stores(String store, List<String> expected) {
        assertThat(Linted.of(KEPT.replace("STORE", store))).as(store).isEqualTo(expected);
    }

    /** A result with its graph is put somewhere; the lines of BODY begin with line 10. */
    private static final String GATHERED = """
        import torch
        from torch import nn
        class Answer:
            def __init__(self, rows):
                self.rows = rows
        class Net(nn.Module):
            def __init__(self):
                self.first = nn.Linear(9, 9)
            def forward(self, page, want):
        BODY
        """;

    static Stream<Arguments> gathered() {
        return Stream.of(
                Arguments.of("""
                    rows = []
                    rows.append(self.first(page))
                    return Answer(rows)
                    """, List.of()),
                Arguments.of("""
                    rows = [] if want else None
                    rows.append(self.first(page))
                    return Answer(rows)
                    """, List.of()),
                Arguments.of("""
                    self.rows = [self.first(part) for part in page]
                    return self.rows
                    """, List.of()),
                Arguments.of("""
                    if not hasattr(self, "rows"):
                        self.rows = []
                    self.rows.append(self.first(page))
                    return page
                    """, List.of("LK001:12")),
                Arguments.of("""
                    rows = getattr(self, "rows", [])
                    self.rows = self.rows or []
                    self.rows.append(self.first(page))
                    return page
                    """, List.of("LK001:12")));
    }

    @ParameterizedTest
    @MethodSource
    void gathered(String body, List<String> expected) {
        assertThat(Linted.of(GATHERED.replace("BODY", body.indent(8).stripTrailing())))
                .as(body)
                .isEqualTo(expected);
    }

    static Stream<Arguments> files() {
        return Stream.of(
                Arguments.of("an old name beside the new one, for an old torch", """
                    import torch
                    from library import NEW
                    scaler = torch.amp.GradScaler("cuda") if NEW else torch.cuda.amp.GradScaler()
                    """, List.of()),
                Arguments.of("parts of what one pass answered, called as data are", """
                    import torch
                    @torch.no_grad()
                    def join(model, page):
                        tokens = [model(page)]
                        return torch.cat([part.flatten() for part in tokens])
                    """, List.of()),
                Arguments.of("the graph that several outputs have in common", """
                    def run(net, page):
                        for out in net(page):
                            out.sum().backward(retain_graph=True)
                    """, List.of()),
                Arguments.of("a function that is given itself, so that it closes over nothing", """
                    import torch
                    def gather(page):
                        found = torch.zeros(9, device="cuda")
                        def visit(part, visit):
                            found.add_(part)
                            for inner in part.parts:
                                visit(inner, visit)
                        visit(page, visit)
                        return found
                    """, List.of()),
                Arguments.of("a cache of what belongs to the class", """
                    import functools, torch
                    from torch import nn
                    class Net(nn.Module):
                        @classmethod
                        @functools.lru_cache(None)
                        def names(cls):
                            return [name for name in dir(cls)]
                    """, List.of()),
                Arguments.of("a hook on what each call makes anew", """
                    import torch
                    from library import wrap
                    def check(net, pages, hook):
                        for page in pages:
                            once(net, page, hook)
                    def once(net, page, hook):
                        wrapped = wrap(net)
                        wrapped.register_forward_hook(hook)
                        wrapped(page).sum().backward()
                    """, List.of()),
                Arguments.of("a hook on what stays", """
                    import torch
                    def check(net, pages, hook):
                        for page in pages:
                            once(net, page, hook)
                    def once(net, page, hook):
                        net.register_forward_hook(hook)
                        net(page).sum().backward()
                    """, List.of("LK015:6")),
                Arguments.of("a window of what was concatenated", """
                    import torch
                    class State:
                        def __init__(self):
                            self.context = torch.zeros(1, 9, device="cuda")
                        def push(self, ids: torch.Tensor):
                            self.context = torch.cat((self.context, ids), dim=1)
                            self.context = self.context[:, 1:]
                    """, List.of()),
                Arguments.of("buffers that are named after parameters", """
                    import torch
                    def prune(module, name, mask):
                        module.register_buffer(name + "_mask", mask)
                    """, List.of()),
                Arguments.of("buffers of ever new names", """
                    import torch
                    def prune(module, step, mask):
                        module.register_buffer(f"mask_{step}", mask)
                    """, List.of("LK004:3")),
                Arguments.of("a heap of a module", """
                    import heapq, torch
                    worst = []
                    def note(loss, page):
                        heapq.heappush(worst, (loss, torch.zeros(page, device="cuda")))
                    """, List.of("LK004:4")),
                Arguments.of("a heap of so many", """
                    import heapq, torch
                    worst = []
                    def note(loss, page):
                        row = (loss, torch.zeros(page, device="cuda"))
                        if len(worst) < 9:
                            heapq.heappush(worst, row)
                        else:
                            heapq.heappushpop(worst, row)
                    """, List.of()),
                Arguments.of("a heap that is popped", """
                    import heapq, torch
                    worst = []
                    def note(loss, page):
                        heapq.heappush(worst, (loss, torch.zeros(page, device="cuda")))
                        heapq.heappop(worst)
                    """, List.of()),
                Arguments.of("a list by default", """
                    import torch
                    def mean(page, seen=[]):
                        seen.append(torch.zeros(page, device="cuda"))
                        return torch.stack(seen).mean()
                    """, List.of("LK004:3")),
                Arguments.of("a list that a call is given or makes", """
                    import torch
                    def mean(page, seen=None):
                        seen = [] if seen is None else seen
                        seen.append(torch.zeros(page, device="cuda"))
                        return torch.stack(seen).mean()
                    """, List.of()),
                Arguments.of("a tuple that a closure adds to", """
                    import torch
                    def server():
                        rows = ()
                        def answer(page):
                            nonlocal rows
                            rows = rows + (torch.zeros(page, device="cuda"),)
                        return answer
                    """, List.of("LK004:6")),
                Arguments.of("a tuple of the last rows", """
                    import torch
                    def server():
                        rows = ()
                        def answer(page):
                            nonlocal rows
                            rows = rows[-3:] + (torch.zeros(page, device="cuda"),)
                        return answer
                    """, List.of()),
                Arguments.of("entries by a remainder", """
                    import torch
                    class Bank:
                        def __init__(self):
                            self.rows = {}
                        def put(self, place, page):
                            self.rows[place] = torch.zeros(page, device="cuda")
                    def run(pages):
                        bank = Bank()
                        for step, page in enumerate(pages):
                            bank.put(step % 5, page)
                    """, List.of()),
                Arguments.of("entries by a step", """
                    import torch
                    class Bank:
                        def __init__(self):
                            self.rows = {}
                        def put(self, place, page):
                            self.rows[place] = torch.zeros(page, device="cuda")
                    def run(pages):
                        bank = Bank()
                        for step, page in enumerate(pages):
                            bank.put(step, page)
                    """, List.of("LK004:6")),
                Arguments.of("entries by the name of a user", """
                    import torch
                    class Server:
                        def __init__(self):
                            self.rows = {}
                        def answer(self, username, page):
                            self.rows[username] = torch.zeros(page, device="cuda")
                    """, List.of("LK004:6")),
                Arguments.of("entries by the name of a phase", """
                    import torch
                    class Server:
                        def __init__(self):
                            self.rows = {}
                        def answer(self, phase_name, page):
                            self.rows[phase_name] = torch.zeros(page, device="cuda")
                    """, List.of()),
                Arguments.of("tasks that are kept", """
                    import asyncio, torch
                    class Service:
                        def __init__(self, model):
                            self.model, self.tasks = model, set()
                        @torch.inference_mode()
                        async def infer(self, page):
                            return self.model(page)
                        def handle(self, page):
                            task = asyncio.create_task(self.infer(page))
                            self.tasks.add(task)
                    """, List.of("LK004:10")),
                Arguments.of("tasks that leave when they are done", """
                    import asyncio, torch
                    class Service:
                        def __init__(self, model):
                            self.model, self.tasks = model, set()
                        @torch.inference_mode()
                        async def infer(self, page):
                            return self.model(page)
                        def handle(self, page):
                            task = asyncio.create_task(self.infer(page))
                            self.tasks.add(task)
                            task.add_done_callback(self.tasks.discard)
                    """, List.of()),
                Arguments.of("values that refer to weak keys", """
                    import torch, weakref
                    known = weakref.WeakKeyDictionary()
                    def look(model, page):
                        with torch.no_grad():
                            known[page] = (page, model(page.rows))
                    """, List.of("LK004:5")),
                Arguments.of("values beside weak keys", """
                    import torch, weakref
                    known = weakref.WeakKeyDictionary()
                    def look(model, page):
                        with torch.no_grad():
                            known[page] = (9, model(page.rows))
                    """, List.of()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void files(String name, String text, List<String> expected) {
        assertThat(Linted.of(text)).as(name).isEqualTo(expected);
    }
}
