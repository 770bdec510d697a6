package dev.leakline.known.source;

import static dev.leakline.known.source.PythonLines.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.result.Finding;
import org.junit.jupiter.api.Test;

/** Objects that keep themselves, values that are followed, and advice that fits what keeps them, each with a program that looks alike. */
class SourceObjectsTest {
    private static final String DETACHED = "torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach()";

    private static final Diagnosis CONTAINER = Diagnosis.recorded(Cause.CONTAINER);
    private static final Diagnosis MODELS = Diagnosis.recorded(Cause.MODELS);
    private static final Diagnosis GRAPH = Diagnosis.inferred(Cause.GRAPH_KEPT, Cause.CONTAINER);
    private static final Diagnosis UNUSED = Diagnosis.inferred(Cause.NO_GRAD_MISSING, Cause.CONTAINER);

    @Test
    void anOutputThatIsAnAttributeOfItsContextIsACycle() {
        Finding read = read(CONTAINER, """
                class Gate(torch.autograd.Function):
                    @staticmethod
                    def forward(c, a, b):
                >       y = a * torch.sigmoid(b)
                        c.a, c.y = a, y
                        return y
                """);
        assertThat(read.title()).isEqualTo("an autograd function keeps its own output in its context");
        assertThat(read.advice().getFirst().before()).isEqualTo("c.a, c.y = a, y");
        assertThat(read.advice().getFirst().after()).isEqualTo("c.a = a\nc.save_for_backward(y)");
    }

    @Test
    void inputsThatAreAttributesOfTheContextAreNoCycle() {
        Finding read = read(CONTAINER, """
                class Gate(torch.autograd.Function):
                    @staticmethod
                    def forward(c, a, b):
                >       y = a * torch.sigmoid(b)
                        c.a, c.b = a, b
                        return y
                """);
        assertThat(read.cause()).isNotEqualTo("context_cycle");
    }

    @Test
    void anAttributeOfAModuleIsNotThatOfAContext() {
        Finding read = read(CONTAINER, """
                from torch.autograd import Function

                class Layer(nn.Module):
                    def forward(self, a):
                >       y = a * 2
                        self.last = y
                        return y
                """);
        assertThat(read.cause()).isNotEqualTo("context_cycle");
    }

    @Test
    void anOutputBesideWhatIsSavedIsSavedWithIt() {
        Finding read = read(CONTAINER, """
                class Gate(torch.autograd.Function):
                    @staticmethod
                    def forward(ctx, a):
                >       y = torch.exp(a)
                        ctx.save_for_backward(a)
                        ctx.y = y
                        return y
                """);
        assertThat(read.advice().getFirst().after()).isEqualTo("ctx.save_for_backward(a, y)");
    }

    @Test
    void aFinalizerWithAMethodOfItsObjectHoldsIt() {
        Finding read = read(CONTAINER, """
                class Page:
                    def __init__(self, path):
                >       self.data = load(path).cuda()
                        weakref.finalize(self, self.closed)

                    def closed(self):
                        log(self.path, "closed")
                """);
        assertThat(read.title()).isEqualTo("a finalizer holds the object whose end it waits for");
        assertThat(read.advice().getFirst().after())
                .startsWith("weakref.finalize(self, Page.closed, types.SimpleNamespace(path=self.path))");
    }

    @Test
    void aFinalizerUnderAConditionIsAGuess() {
        Finding read = read(CONTAINER, """
                class Page:
                    def __init__(self, path):
                >       self.data = load(path).cuda()
                        if watched:
                            weakref.finalize(self, lambda: self.closed())

                    def closed(self):
                        log(self.path)
                """);
        assertThat(read.title()).isEqualTo("probably a finalizer holds the object whose end it waits for");
    }

    @Test
    void aFinalizerWithValuesOfItsObjectHoldsNothing() {
        Finding read = read(CONTAINER, """
                class Page:
                    def __init__(self, path):
                >       self.data = load(path).cuda()
                        weakref.finalize(self, log, self.path, id(self.path))
                """);
        assertThat(read.cause()).isNotEqualTo("finalizer");
    }

    @Test
    void allThatIsCarriedIsDetached() {
        Finding read = read(GRAPH, """
                def step(self, x, h):
                >   y = self.inner(x)
                    h.a = self.low(y, h.a)
                    h.b = self.high(h.a, h.b)
                """);
        assertThat(read.advice().getFirst().before()).isEqualTo("h.a = self.low(y, h.a)\nh.b = self.high(h.a, h.b)");
        assertThat(read.advice().getFirst().after())
                .isEqualTo("h.a = DETACHED, self.low(y, h.a))\nh.b = DETACHED, self.high(h.a, h.b))"
                        .replace("DETACHED", DETACHED));
    }

    @Test
    void whatIsCarriedWithoutABackwardPassNeedsNoGraph() {
        Finding read = read(UNUSED, """
                def step(self, x, h):
                >   y = self.inner(x)
                    h.a = self.low(y, h.a)
                """);
        assertThat(read.advice().getFirst().after()).isEqualTo("h.a = " + DETACHED + ", self.low(y, h.a))");
    }

    @Test
    void whatIsCollectedWithoutABackwardPassIsMoved() {
        Finding read = read(UNUSED, """
                def step(self, x):
                >   y = self.inner(x)
                    self.seen.append(y)
                """);
        assertThat(read.advice().getFirst().after())
                .isEqualTo(
                        "self.seen.append(torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), y))");
    }

    @Test
    void aCopyThatACallReturnsIsNotWhatStays() {
        Finding read = read(CONTAINER, """
                def explain(self, x):
                >   y = self.model(x)
                    return y.softmax(1).cpu()

                def run(self):
                    while True:
                ^       out.put(self.explain(queue.get()))
                """);
        assertThat(read.explanation().text()).doesNotContain("Line");
        assertThat(read.advice())
                .noneMatch(advice ->
                        advice.before().contains("kept") || advice.before().contains("put"));
    }

    @Test
    void aTensorThatACallReturnsIsFollowed() {
        Finding read = read(CONTAINER, """
                def explain(self, x):
                >   y = self.model(x)
                    return y.softmax(1)

                def run(self):
                    while True:
                ^       out.put(self.explain(x))
                """);
        assertThat(read.advice().getFirst().after())
                .isEqualTo(
                        "out.put(torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), self.explain(x)))");
    }

    @Test
    void aQueueThatIsReadIsAGuess() {
        Finding read = read(CONTAINER, """
                def run(self):
                    while True:
                >       out.put(self.model(x))

                def main():
                    for request in requests:
                        answer(out.get())
                """);
        assertThat(read.title()).isEqualTo("probably something that outlives the step keeps it");
    }

    @Test
    void aListThatIsReadAtTheEndOfAnEpochIsClearedThere() {
        Finding read = read(CONTAINER, """
                class Model(L.LightningModule):
                    def test_step(self, batch, index):
                >       y = self(batch)
                        self.outs.append({"y": y, "batch": batch})

                    def on_test_epoch_end(self):
                        rate = torch.cat([out["y"] for out in self.outs]).mean()
                        if self.short:
                            self.outs.clear()
                """);
        assertThat(read.title()).endsWith("outputs of all epochs are kept");
        assertThat(read.advice().getFirst().after())
                .isEqualTo("rate = torch.cat([out[\"y\"] for out in self.outs]).mean()\nself.outs.clear()");
    }

    @Test
    void aListThatIsReadByAnotherNameIsClearedAtTheEnd() {
        Finding read = read(CONTAINER, """
                class Model(L.LightningModule):
                    def __init__(self):
                        self.outs = []

                    def validation_step(self, batch, index):
                >       y = self(batch)
                        self.outs.append(y)

                    def on_validation_epoch_end(self):
                        outputs = self.outs
                        self.log("rate", torch.cat(outputs).mean())
                """);
        assertThat(read.title()).endsWith("outputs of all epochs are kept");
        assertThat(read.advice().getFirst().after())
                .isEqualTo("self.log(\"rate\", torch.cat(outputs).mean())\nself.outs.clear()");
    }

    @Test
    void aListThatNoEpochReadsIsMoved() {
        Finding read = read(CONTAINER, """
                class Model(L.LightningModule):
                    def test_step(self, batch, index):
                >       y = self(batch)
                        self.outs.append(y)

                    def on_test_epoch_end(self):
                        self.log("rate", 1)
                """);
        assertThat(read.advice().getFirst().after())
                .isEqualTo(
                        "self.outs.append(torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), y))");
    }

    @Test
    void whatIsMadeForASessionIsProbablyKeptByIt() {
        Finding read = read(CONTAINER, """
                class Server:
                    def __init__(self):
                        self.chats = {}

                    def start(self, name):
                        self.chats[name] = Chat(name)

                    def say(self, name, words):
                        chat = self.chats.get(name)
                >       return self.model(words, past=chat.past).logits
                """);
        assertThat(read.title()).isEqualTo("probably a cache grows without a limit");
        assertThat(read.advice().getFirst().after()).isEqualTo("""
                self.chats[name] = Chat(name)
                while len(self.chats) > LIMIT:
                    self.chats.pop(next(iter(self.chats)))""");
    }

    @Test
    void sessionsThatAreLimitedAreNotAccused() {
        Finding read = read(CONTAINER, """
                class Server:
                    def start(self, name):
                        self.chats[name] = Chat(name)
                        while len(self.chats) > 16:
                            self.chats.pop(next(iter(self.chats)))

                    def say(self, name, words):
                        chat = self.chats.get(name)
                >       return self.model(words, past=chat.past).logits
                """);
        assertThat(read.cause()).isNotEqualTo("unbounded_cache");
    }

    @Test
    void aSwitchedOffCollectorIsTheLastGuess() {
        Finding read = read(CONTAINER, """
                gc.disable()

                def main():
                    for step in range(9):
                >       tree = Tree(torch.rand(9).cuda())
                """);
        assertThat(read.title()).isEqualTo("probably reference cycles stay, as the garbage collector is switched off");
    }

    @Test
    void aCollectorThatIsCalledIsNotAccused() {
        Finding read = read(CONTAINER, """
                gc.disable()

                def main():
                    for step in range(9):
                >       tree = Tree(torch.rand(9).cuda())
                        gc.collect()
                """);
        assertThat(read.cause()).isNotEqualTo("reference_cycle");
    }

    @Test
    void aCachedMethodOfWhatALoopedCallMakesHoldsIt() {
        Finding read = read(MODELS, """
                class Net(nn.Module):
                    @functools.cache
                    def mask(self, length):
                        return torch.ones(length)

                    def forward(self, x):
                        return self.mask(9) * x

                def trial(config):
                >   model = Net().cuda()
                    return train(model)

                def main():
                    for number in range(9):
                ^       results.append(trial(number))
                """);
        assertThat(read.cause()).isEqualTo("memoized_method");
    }

    @Test
    void aCachedMethodOfWhatIsMadeOnceIsNotAccused() {
        Finding read = read(MODELS, """
                class Net(nn.Module):
                    @functools.cache
                    def mask(self, length):
                        return torch.ones(length)

                    def forward(self, x):
                        return self.mask(9) * x

                def trial(config):
                >   model = Net().cuda()
                    return train(model)

                def main():
                ^   result = trial(0)
                """);
        assertThat(read.cause()).isNotEqualTo("memoized_method");
    }

    @Test
    void aHandlerThatExtendsABufferKeepsRecords() {
        Finding read = read(CONTAINER, """
                class Recorder(handlers.MemoryHandler):
                    pass

                def train():
                    for step in range(9):
                >       rate = net(step).mean(0)
                        logger.info("%d %s", step, rate.item() if short else rate)
                """);
        assertThat(read.cause()).isEqualTo("log_records");
        assertThat(read.advice().getFirst().after())
                .isEqualTo("logger.info(\"%d %s\", step, str(rate.item() if short else rate))");
    }

    @Test
    void anImportedHandlerThatNobodyMakesKeepsNothing() {
        Finding read = read(CONTAINER, """
                from logging.handlers import MemoryHandler

                def train():
                    for step in range(9):
                >       rate = net(step).mean(0)
                        logger.info("%d %s", step, rate)
                """);
        assertThat(read.cause()).isNotEqualTo("log_records");
    }

    @Test
    void hooksInAListPileUp() {
        Finding read = read(CONTAINER, """
                class Watch:
                    def __init__(self, layer):
                        self.seen = []
                        self.handles = [layer.register_forward_hook(self.keep)]

                    def keep(self, module, given, output):
                        self.seen.append(output.detach())

                def main(net):
                    for step in range(9):
                        watch = Watch(net[0])
                >       net(step).sum().backward()
                """, PythonLines.MODULE);
        assertThat(read.explanation().text())
                .endsWith("Line 4 shows it: self.handles = [layer.register_forward_hook(self.keep)]");
    }

    @Test
    void aSourceThatShowsNoHolderGetsNoExampleOfOne() {
        Finding read = read(CONTAINER, """
                def main():
                    for step in range(9):
                >       Tree(torch.rand(9).cuda())
                """);
        assertThat(read.explanation().text()).isEqualTo("No line of the calls in the source at hand shows what.");
        assertThat(read.advice().getFirst().action()).contains("holder dump");
        assertThat(read.advice())
                .allSatisfy(advice -> assertThat(advice.before()).isEmpty());
    }
}
