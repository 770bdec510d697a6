package dev.leakline.python.keep;

import static dev.leakline.python.keep.CuresTest.cured;
import static dev.leakline.python.keep.CuresTest.kept;
import static dev.leakline.python.keep.CuresTest.piled;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Idioms by which programs keep what they make, with the line that does, and the first cure. */
class IdiomsTest {
    @Test
    void aHeapIsCutToTheLargestThatAreRead() {
        String program = """
                import heapq
                import torch
                BEST = 3
                best = []
                for step, x in enumerate(batches):
                >   heapq.heappush(best, (score(x), step, torch.relu(x)))
                print(heapq.nlargest(BEST, best))
                """;
        assertThat(kept(program)).startsWith("heapq.heappush(best");
        assertThat(cured(program)).isEqualTo("SAFE\n+while len(best) > BEST:\n+    heapq.heappop(best)");
        assertThat(cured(program.replace("nlargest(BEST", "nsmallest(BEST"))).startsWith("REVIEW");
    }

    @Test
    void attributesWithEverNewNamesAreKept() {
        String program = """
                import torch
                class Net:
                    def __init__(self):
                        self.calls = 0
                    def run(self, x):
                >       h = torch.relu(x)
                        self.calls += 1
                        setattr(self, %s, h)
                net = Net()
                for x in batches:
                    net.run(x)
                """;
        assertThat(kept(program.formatted("f\"mark_{self.calls}\""), 11)).startsWith("setattr(");
        assertThat(kept(program.formatted("\"mark\""), 11)).isEmpty();
    }

    @Test
    void objectsThatEachKeepTheOneBeforeAreAChain() {
        String program = """
                import torch
                class Frame:
                    def __init__(self, pixels, before=None):
                        self.pixels = pixels
                        self.before = before%s
                last = Frame(torch.zeros(3))
                for x in batches:
                >   last = Frame(torch.relu(x), last)
                """;
        assertThat(kept(program.formatted(""))).isEqualTo("self.before = before");
        assertThat(cured(program.formatted("")))
                .isEqualTo("REVIEW\n+if before is not None:\n+    before.before = None");
        assertThat(kept(program.formatted(".pixels.mean().item()"))).isEmpty();
    }

    @Test
    void objectsOfOneStepThatReferToEachOtherAreNoChain() {
        assertThat(kept("""
                import torch
                class Node:
                    def __init__(self, value, parent=None):
                        self.value = value
                        self.parent = parent
                for x in batches:
                >   root = Node(torch.relu(x))
                    leaf = Node(x, root)
                """)).isEmpty();
    }

    @Test
    void aFunctionThatEachStepWrapsIsAChainOfClosures() {
        String program = """
                import torch
                def shifted(forward, offset):
                    def run(x):
                        return forward(x + offset)
                    return run
                forward = torch.relu
                plain = forward
                for size in sizes:
                >   offset = torch.zeros(size)
                    forward = shifted(%s, offset)
                """;
        assertThat(kept(program.formatted("forward"))).isEqualTo("forward = shifted(forward, offset)");
        assertThat(kept(program.formatted("plain"))).isEmpty();
    }

    @Test
    void aVariableThatIsItselfAndMoreGrows() {
        String program = """
                import torch
                kept = ()
                for x in batches:
                >   y = torch.relu(x)
                    kept = %s
                print(kept[-2:])
                """;
        assertThat(cured(program.formatted("kept + (y,)")))
                .isEqualTo("SAFE\n-kept = kept + (y,)\n+kept = (kept + (y,))[-2:]");
        assertThat(kept(program.formatted("(*kept, y)"))).isEqualTo("kept = (*kept, y)");
        assertThat(kept(program.formatted("(y,)"))).isEmpty();
    }

    @Test
    void aDictIsUpdatedWithNewKeysOnly() {
        String program = """
                import torch
                state = {}
                for step, x in enumerate(batches):
                >   y = torch.relu(x)
                    state.update({%s: y})
                """;
        assertThat(kept(program.formatted("step"))).startsWith("state.update");
        assertThat(kept(program.formatted("\"y\""))).isEmpty();
    }

    @Test
    void aVariableOfAContextGrowsAsAnyOther() {
        assertThat(kept("""
                from contextvars import ContextVar
                import torch
                maps = ContextVar("maps", default=())
                for x in batches:
                >   y = torch.relu(x)
                    maps.set(maps.get() + (y,))
                """)).isEqualTo("maps.set(maps.get() + (y,))");
    }

    @Test
    void aDefaultIsMadeOnce() {
        String program = """
                import torch
                def smooth(x, seen=[]):
                    seen.append(x)
                    return x
                for x in batches:
                >   smooth(torch.relu(x))
                """;
        assertThat(kept(program)).isEqualTo("seen.append(x)");
        assertThat(kept(program.replace("seen=[]", "seen=None").replace("seen.a", "seen = []; seen.a")))
                .isEmpty();
    }

    @Test
    void anExitThatIsRegisteredKeepsItsArguments() {
        String step = """
                    with contextlib.ExitStack() as own:
                >       y = torch.relu(x)
                        %s.callback(print, y)
                """;
        String program = """
                import contextlib
                import torch
                stack = contextlib.ExitStack()
                for x in batches:
                """ + step;
        assertThat(kept(program.formatted("stack"))).isEqualTo("stack.callback(print, y)");
        assertThat(kept(program.formatted("own"))).isEmpty();
    }

    @Test
    void anObjectsOwnItemsGoWhereItsMethodPutsThem() {
        assertThat(kept("""
                import torch
                class Store:
                    def __init__(self):
                        self.rows = {}
                    def __setitem__(self, key, row):
                        self.rows[key] = row
                store = Store()
                for step, x in enumerate(batches):
                >   store[step] = torch.relu(x)
                """)).isEqualTo("self.rows[key] = row");
    }

    @Test
    void itemsAreAddedAtTheEndOfASlice() {
        assertThat(kept("""
                import torch
                rows = []
                for x in batches:
                >   y = torch.relu(x)
                    rows[len(rows):] = [y]
                """)).isEqualTo("rows[len(rows):] = [y]");
    }

    @Test
    void aPartialFunctionAndAGeneratorKeepWhatTheyAreGiven() {
        assertThat(kept("""
                import functools
                import torch
                later = []
                for x in batches:
                >   y = torch.relu(x)
                    later.append(functools.partial(print, y))
                """)).startsWith("later.append");
        assertThat(kept("""
                import torch
                def track(frame):
                    yield 1
                tracks = []
                for x in batches:
                >   y = torch.relu(x)
                    tracks.append(track(y))
                """)).startsWith("tracks.append");
    }

    @Test
    void aRemovalOfWhatEqualsNothingIsNone() {
        String program = """
                import torch
                class Ticket:
                    def __init__(self, number, prompt=None):
                        self.number = number
                        self.prompt = prompt
                waiting = set()
                for number, x in enumerate(batches):
                >   waiting.add(Ticket(number, torch.relu(x)))
                    waiting.discard(Ticket(number))
                """;
        assertThat(cured(program))
                .startsWith("REVIEW\n+def __eq__(self, other):")
                .contains("self.number == other.number");
        assertThat(cured(program.replace("class Ticket:", "class Ticket(Base):")))
                .doesNotContain("__eq__");
    }

    @Test
    void ofACacheByTensorsNoEntryOfAnEarlierStepIsFound() {
        assertThat(cured("""
                import torch
                known = {}
                for _ in range(9):
                    x = torch.zeros(3)
                    if x not in known:
                >       known[x] = torch.relu(x)
                """)).isEqualTo("REVIEW\n+known.clear()");
    }

    @Test
    void aTaskGoesWhenItHasEndedOrWhenItWasAskedForItsResult() {
        String program = """
                import torch
                from concurrent.futures import ThreadPoolExecutor
                def work(x):
                >   return torch.relu(x)
                pool = ThreadPoolExecutor(1)
                tasks = %s
                for number, x in enumerate(batches):
                    task = pool.submit(work, x)
                    tasks%s
                    %s
                """;
        assertThat(cured(program.formatted("set()", ".add(task)", "pass")))
                .endsWith("\n+task.add_done_callback(tasks.discard)");
        assertThat(cured(program.formatted("{}", "[number] = task", "print(tasks[number].result())")))
                .isEqualTo("REVIEW\n-print(tasks[number].result())\n+print(tasks.pop(number).result())");
    }

    @Test
    void aTensorThatIsJoinedToItselfIsCutToWhatIsRead() {
        String program = """
                import torch
                class Tracker:
                    def __init__(self):
                        self.trace = None
                    def see(self, x):
                        h = torch.relu(x)
                >       self.trace = h if self.trace is None else torch.vstack([self.trace, h])
                    def speed(self, count):
                        return self.trace[-count:].mean()
                tracker = Tracker()
                for x in batches:
                    tracker.see(x)
                    tracker.speed(%s)
                """;
        assertThat(cured(program.formatted("16"), 12))
                .startsWith("SAFE")
                .endsWith("torch.vstack([self.trace, h])[-16:]");
        assertThat(cured(program.formatted("len(x)"), 12)).startsWith("OPEN").endsWith("[-LIMIT:]");
    }

    @Test
    void ofNestedTuplesThatNobodyReadsThePastGoes() {
        String program = """
                import torch
                past = ()
                for x in batches:
                >   past = (torch.relu(x), past)
                %s
                """;
        assertThat(cured(program.formatted("")))
                .isEqualTo("SAFE\n-past = (torch.relu(x), past)\n+past = (torch.relu(x), None)");
        assertThat(cured(program.formatted("print(past[1])"))).isEmpty();
    }

    @Test
    void aCopyOfARecordWithALongerTupleKeepsWhatIsAdded() {
        assertThat(cured("""
                import dataclasses
                import torch
                @dataclasses.dataclass
                class State:
                    past: tuple
                state = State(())
                for x in batches:
                >   state = dataclasses.replace(state, past=state.past + (torch.relu(x),))
                    print(state.past[-1].shape)
                """)).startsWith("SAFE").endsWith("past=(state.past + (torch.relu(x),))[-1:])");
    }

    @Test
    void aHookOfEachStepTakesThePlaceOfTheOneBefore() {
        String program = """
                import torch
                class Distiller:
                    def __init__(self, student):
                        self.student = student
                    def attach(self, target):
                        def compare(module, inputs, output):
                            self.penalty = (output - target).mean()
                        %s.register_forward_hook(compare)
                    def step(self, x):
                >       self.attach(torch.relu(x))
                distiller = Distiller(model)
                for x in batches:
                    distiller.step(x)
                """;
        assertThat(piled(program.formatted("self.student[2]"), 13)).endsWith("""
                +if getattr(self, "_handle", None) is not None:
                +    self._handle.remove()
                +self._handle = self.student[2].register_forward_hook(compare)""");
        assertThat(piled(program.formatted("target"), 13)).isEmpty();
    }
}
