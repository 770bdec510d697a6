package dev.leakline.python.keep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list of tensors that a function fills and reads: what it reads of them decides what may become of them without a review. */
class TakenTest {
    private static String read(String how) {
        return CuresTest.cured("""
                import torch
                class Row:
                    def __init__(self, value):
                        self.value = value
                    def width(self):
                        return self.value.shape[-1]
                def mean(rows):
                    return sum(float(row.mean()) for row in rows)
                def main():
                    kept, weights = [], torch.ones(3, device="cuda")
                    for x in batches:
                >       y = torch.relu(x)
                        kept.append(y)
                    %s
                if __name__ == "__main__":
                    main()
                """.formatted(how));
    }

    @Test
    void callsThatComeBackToThemselvesEnd() {
        assertThat(CuresTest.cured("""
                import functools, torch
                def walk(depth, call):
                    walk(depth - 1, functools.partial(call, 1))
                    walk(depth - 1, functools.partial(call, 2))
                    return call(depth)
                def main():
                    kept = []
                    for x in batches:
                >       y = torch.relu(x)
                        kept.append(y)
                        walk(3, print)
                    save(kept)
                if __name__ == "__main__":
                    main()
                """)).startsWith("REVIEW\n-kept.append(y)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "print([y.shape for y in kept])",
                "print(len(kept), {tuple(y.shape) for y in kept})",
                "rows = [Row(y) for y in kept]; print(rows[0].width(), kept[0].dtype)",
                "print(*[f'{number}: {y.size(0)}' for number, y in enumerate(kept)])"
            })
    void whereShapesAreReadNoMemoryIsKept(String how) {
        assertThat(read(how)).isEqualTo("SAFE\n-kept.append(y)\n+kept.append(y.detach().to(\"meta\"))");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "print([float(y.mean()) for y in kept])",
                "print(mean(kept))",
                "print(torch.stack(kept).mean().item())",
                "print([None if y is None else y.sum().item() for y in kept])",
                "rows = [Row(y) for y in kept]; print(rows[0].value.mean().item(), rows[0].width())"
            })
    void whereNumbersAreReadTheyMayBeComputedAnywhere(String how) {
        assertThat(read(how)).isEqualTo("SAFE\n-kept.append(y)\n+kept.append(y.detach().cpu())");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "print(kept)",
                "print(f'{kept[0]}')",
                "show(kept[0])",
                "show(rows=kept)",
                "print(kept[0].device, kept[0].is_cuda)",
                "torch.save(kept, 'kept.pt')",
                "Row.all = kept; show(Row)",
                "row = Row(kept[0]); show(row.value)",
                "row = Row(kept[0]); show(row)",
                "print('%s' % kept[0])",
                "print((kept[0] + weights).sum().item())",
                "kept[0].mul_(2); print(kept[0].sum().item())",
                "table[0] = kept[0]",
                "first, *rest = kept; show(rest)",
                "pairs = dict(enumerate(kept)); show(pairs)",
                "show(lambda: kept[0])",
                "print(max(kept))",
                "print(kept[0] in seen)"
            })
    void whateverElseIsReadHasToBeLookedAt(String how) {
        assertThat(read(how)).doesNotStartWith("SAFE");
    }

    @Test
    void whatGoesToACallerThatIsNotAtHandHasToBeLookedAt() {
        assertThat(CuresTest.cured("""
                import torch
                def gather(batches):
                    kept = []
                    for x in batches:
                >       y = torch.relu(x)
                        kept.append(y)
                    print(kept[0].mean().item())
                    return kept
                if __name__ == "__main__":
                    run(gather)
                """)).startsWith("REVIEW");
    }

    @Test
    void namesBesideTensorsAreNoTensors() {
        assertThat(CuresTest.cured("""
                import torch
                calls = []
                def watched(function):
                    def call(*arguments):
                        result = function(*arguments)
                        calls.append((function.__name__, result))
                        return result
                    return call
                class Server:
                    def __init__(self):
                        self.model = torch.nn.Linear(2, 2)
                    @watched
                    def answer(self, rows):
                >       return self.model(rows)
                def newest():
                    counts = {name: 0 for name, _ in calls}
                    name, result = calls[-1]
                    return name, tuple(getattr(result, "shape", result))
                def main():
                    server = Server()
                    for rows in batches:
                        server.answer(rows)
                    name, shape = newest()
                    assert name == "answer" and shape == (8, 2)
                if __name__ == "__main__":
                    main()
                """)).isEqualTo("""
                SAFE
                -calls.append((function.__name__, result))
                +calls.append((function.__name__, result.detach().to("meta")))""");
    }

    @Test
    void aStartedThreadIsOfTheProgram() {
        assertThat(CuresTest.cured("""
                import queue, threading, torch
                class Worker(threading.Thread):
                    def __init__(self, jobs):
                        super().__init__()
                        self.jobs, self.done = jobs, queue.Queue()
                    def run(self):
                        while (job := self.jobs.get()) is not None:
                >           self.done.put((job, torch.ones(job)))
                def main():
                    jobs, shown = queue.Queue(), []
                    worker = Worker(jobs)
                    worker.start()
                    for job in range(100):
                        jobs.put(job)
                    number, picture = worker.done.get()
                    shown.append((number, tuple(picture.shape)))
                if __name__ == "__main__":
                    main()
                """)).isEqualTo("""
                SAFE
                -self.done.put((job, torch.ones(job)))
                +self.done.put((job, torch.ones(job).detach().to("meta")))""");
    }

    private static String owned(String end) {
        return CuresTest.cured("""
                import torch
                class Table:
                    def __init__(self):
                        self.rows = []
                    def add(self, x):
                >       self.rows.append(torch.relu(x))
                    def widths(self):
                        return [row.shape for row in self.rows]
                def main():
                    table = Table()
                    for x in batches:
                        table.add(x)
                    print(table.widths())
                    %s
                if __name__ == "__main__":
                    main()
                """.formatted(end));
    }

    @Test
    void whatAnObjectKeepsIsSeenAsLongAsItStays() {
        assertThat(owned("pass")).startsWith("SAFE");
        assertThat(owned("other = table; print(other.widths())")).startsWith("SAFE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "show(table)",
                "show(table=table)",
                "show([table])",
                "print(f'{table}')",
                "print(getattr(table, 'rows'))",
                "torch.save(vars(table), 'a.pt')"
            })
    void whatAnObjectKeepsHasToBeLookedAtWhereOthersGetIt(String end) {
        assertThat(owned(end)).doesNotStartWith("SAFE");
    }
}
