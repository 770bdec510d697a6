package dev.leakline.known.source;

import static dev.leakline.known.source.PythonLines.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.result.Finding;
import org.junit.jupiter.api.Test;

/** Causes that stand elsewhere than in the lines of the calls, each with a program that looks alike and has another. */
class SourceKeepersTest {
    private static final Diagnosis CONTAINER = Diagnosis.recorded(Cause.CONTAINER);
    private static final Diagnosis MODELS = Diagnosis.recorded(Cause.MODELS);
    private static final Diagnosis CHECKPOINTS = Diagnosis.recorded(Cause.CHECKPOINTS);
    private static final Diagnosis GRAPH = Diagnosis.inferred(Cause.GRAPH_KEPT, Cause.CONTAINER);

    @Test
    void hooksThatAStepRegistersInAClassOfTheFilePileUp() {
        Finding read = read(CONTAINER, """
                class Watch:
                    def __init__(self, layer):
                        self.seen = None
                        self.hook = layer.register_forward_hook(self.keep)

                    def keep(self, module, given, output):
                        self.seen = output.detach()

                    def stop(self):
                        self.hook.remove()

                def main(net):
                    for step in range(9):
                        watch = Watch(net[0])
                >       net(step).sum().backward()
                """, PythonLines.MODULE);
        assertThat(read.cause()).isEqualTo("hook");
        assertThat(read.title()).isEqualTo("hooks of earlier steps keep tensors");
        assertThat(read.explanation().text())
                .endsWith("Line 4 shows it: self.hook = layer.register_forward_hook(self.keep)");
    }

    @Test
    void hooksThatAStepRemovesUnderAConditionAreAGuess() {
        Finding read = read(CONTAINER, """
                class Watch:
                    def __init__(self, layer):
                        self.seen = None
                        self.hook = layer.register_forward_hook(self.keep)

                    def keep(self, module, given, output):
                        self.seen = output.detach()

                    def stop(self):
                        self.hook.remove()

                def main(net):
                    for step in range(9):
                        watch = Watch(net[0])
                >       net(step).sum().backward()
                        if done:
                            watch.stop()
                """, PythonLines.MODULE);
        assertThat(read.title()).isEqualTo("probably hooks of earlier steps keep tensors");
    }

    @Test
    void hooksThatEachStepRemovesAreNotAccused() {
        Finding read = read(CONTAINER, """
                class Watch:
                    def __init__(self, layer):
                        self.seen = None
                        self.hook = layer.register_forward_hook(self.keep)

                    def keep(self, module, given, output):
                        self.seen = output.detach()

                    def stop(self):
                        self.hook.remove()

                def main(net):
                    for step in range(9):
                        watch = Watch(net[0])
                >       net(step).sum().backward()
                        watch.stop()
                """, PythonLines.MODULE);
        assertThat(read.title()).isEqualTo(CONTAINER.told().title());
    }

    @Test
    void hooksThatAreRegisteredBeforeTheLoopDoNotPileUp() {
        Finding read = read(CONTAINER, """
                def main(net):
                    watch = Watch(net[0])
                    for step in range(9):
                >       net(step).sum().backward()

                class Watch:
                    def __init__(self, layer):
                        self.hook = layer.register_forward_hook(self.keep)

                    def keep(self, module, given, output):
                        self.seen = output.detach()
                """, PythonLines.MODULE);
        assertThat(read.title()).isEqualTo(CONTAINER.told().title());
    }

    @Test
    void aMetricThatIsNeverResetIsAGuess() {
        Finding read = read(CONTAINER, """
                from torchmetrics.classification import (
                    BinaryAUROC,
                )

                class Net:
                    def __init__(self):
                        self.quality = BinaryAUROC()

                    def training_step(self, batch):
                >       scores = self.net(batch).sigmoid()
                        self.quality.update(scores, batch)

                    def on_train_epoch_end(self):
                        value = self.quality.compute()
                """);
        assertThat(read.cause()).isEqualTo("metric_not_reset");
        assertThat(read.title()).startsWith("probably ");
        assertThat(read.advice().getFirst().after()).isEqualTo("value = self.quality.compute()\nself.quality.reset()");
    }

    @Test
    void aMetricThatIsResetIsNotAccused() {
        Finding read = read(CONTAINER, """
                from torchmetrics.classification import (
                    BinaryAUROC,
                )

                class Net:
                    def __init__(self):
                        self.quality = BinaryAUROC()

                    def training_step(self, batch):
                >       scores = self.net(batch).sigmoid()
                        self.quality.update(scores, batch)

                    def on_train_epoch_end(self):
                        value = self.quality.compute()
                        self.quality.reset()
                """);
        assertThat(read.title()).isEqualTo(CONTAINER.told().title());
    }

    @Test
    void aMetricThatIsLoggedAsAWholeIsResetByLightning() {
        Finding read = read(CONTAINER, """
                from torchmetrics.classification import (
                    BinaryAUROC,
                )

                class Net:
                    def __init__(self):
                        self.quality = BinaryAUROC()

                    def training_step(self, batch):
                >       scores = self.net(batch).sigmoid()
                        self.quality.update(scores, batch)

                    def on_train_epoch_end(self):
                        value = self.quality.compute()
                        self.log("quality", self.quality)
                """);
        assertThat(read.title()).isEqualTo(CONTAINER.told().title());
    }

    @Test
    void aMetricThatIsGivenSomethingElseIsNotAccused() {
        Finding read = read(CONTAINER, """
                from torchmetrics.classification import (
                    BinaryAUROC,
                )

                class Net:
                    def __init__(self):
                        self.quality = BinaryAUROC()

                    def training_step(self, batch):
                >       scores = self.net(batch).sigmoid()
                        self.quality.update(batch, batch)

                    def on_train_epoch_end(self):
                        value = self.quality.compute()
                """);
        assertThat(read.title()).isEqualTo(CONTAINER.told().title());
    }

    @Test
    void theValueOfAWeakKeyThatStoresItKeepsIt() {
        Finding read = read(CONTAINER, """
                owners: dict = weakref.WeakKeyDictionary()

                class Entry:
                    def __init__(self, keys, owner=None):
                        self.owner = owner
                        self.keys = keys

                def answer(session):
                >   keys = net(session.tokens)
                    owners[session] = Entry(keys, owner=session)
                """);
        assertThat(read.cause()).isEqualTo("weak_keys");
        assertThat(read.advice().getFirst().after()).startsWith("self.owner = weakref.ref(owner)");
    }

    @Test
    void aValueThatRefersWeaklyToItsKeyIsNotAccused() {
        Finding read = read(CONTAINER, """
                owners: dict = weakref.WeakKeyDictionary()

                class Entry:
                    def __init__(self, keys, owner=None):
                        self.owner = weakref.ref(owner)
                        self.keys = keys

                def answer(session):
                >   keys = net(session.tokens)
                    owners[session] = Entry(keys, owner=session)
                """);
        assertThat(read.cause()).isNotEqualTo("weak_keys");
    }

    @Test
    void aTupleWithItsWeakKeyKeepsIt() {
        Finding read = read(CONTAINER, """
                from weakref import WeakKeyDictionary
                owners = WeakKeyDictionary()

                def answer(session):
                >   owners[session] = (session, net(session.tokens))
                """);
        assertThat(read.cause()).isEqualTo("weak_keys");
        assertThat(read.advice().getFirst().after())
                .endsWith("owners[session] = (weakref.ref(session), net(session.tokens))");
    }

    @Test
    void aMemoizedMethodKeepsTheObjectsThatAStepMakes() {
        Finding read = read(MODELS, """
                class Study:
                    def __init__(self, width):
                >       self.net = make(width).cuda()

                    @lru_cache(maxsize=None)
                    def rate(self, step):
                        return 1 / step

                def main():
                    for width in widths:
                ^       study = Study(width)
                        study.rate(1)
                """);
        assertThat(read.cause()).isEqualTo("memoized_method");
        assertThat(read.title()).doesNotContain("probably");
        assertThat(read.advice().getFirst().before()).isEqualTo("@lru_cache(maxsize=None)");
    }

    @Test
    void aMemoizedMethodWithALimitIsAGuess() {
        Finding read = read(MODELS, """
                class Study:
                    def __init__(self, width):
                >       self.net = make(width).cuda()

                    @lru_cache(maxsize=1000)
                    def rate(self, step):
                        return 1 / step

                def main():
                    for width in widths:
                ^       study = Study(width)
                        study.rate(1)
                """);
        assertThat(read.cause()).isEqualTo("memoized_method");
        assertThat(read.title()).startsWith("probably ");
    }

    @Test
    void aMemoizedMethodThatIsEmptiedIsNotAccused() {
        Finding read = read(MODELS, """
                class Study:
                    def __init__(self, width):
                >       self.net = make(width).cuda()

                    @lru_cache(maxsize=None)
                    def rate(self, step):
                        return 1 / step

                def main():
                    for width in widths:
                ^       study = Study(width)
                        study.rate(1)
                        Study.rate.cache_clear()
                """);
        assertThat(read.title()).isEqualTo(MODELS.told().title());
    }

    @Test
    void aMemoizedFunctionWithoutSelfKeepsNoObject() {
        Finding read = read(MODELS, """
                class Study:
                    def __init__(self, width):
                >       self.net = make(width).cuda()

                    @lru_cache(maxsize=None)
                    def rate(step):
                        return 1 / step

                def main():
                    for width in widths:
                ^       study = Study(width)
                        study.rate(1)
                """);
        assertThat(read.title()).isEqualTo(MODELS.told().title());
    }

    @Test
    void aMemoizedMethodOfAnObjectThatIsMadeOnceIsNotAccused() {
        Finding read = read(CONTAINER, """
                class Server:
                    def answer(self, request):
                >       return self.net(request)

                    @cache
                    def table(self, length):
                        return list(range(length))

                def main():
                    server = Server()
                    server.table(3)
                    for request in requests:
                ^       server.answer(request)
                """);
        assertThat(read.title()).isEqualTo(CONTAINER.told().title());
    }

    @Test
    void anExceptionThatMayBeStoredInsteadOfItsTextIsStored() {
        Finding read = read(GRAPH, """
                def loss_of(batch):
                >   result = net(batch)
                    raise ValueError(batch)

                def main():
                    for batch in batches:
                        try:
                ^           loss_of(batch)
                        except ValueError as fault:
                            faults.append(str(fault) if short else fault)
                """);
        assertThat(read.cause()).isEqualTo("exception_traceback");
        assertThat(read.advice().getFirst().after())
                .isEqualTo("faults.append(str(fault) if short else fault.with_traceback(None))");
    }

    @Test
    void anExceptionWhoseTextIsStoredIsNotAccused() {
        Finding read = read(GRAPH, """
                def loss_of(batch):
                >   result = net(batch)
                    raise ValueError(batch)

                def main():
                    for batch in batches:
                        try:
                ^           loss_of(batch)
                        except ValueError as fault:
                            faults.append((batch, str(fault)))
                """);
        assertThat(read.cause()).isNotEqualTo("exception_traceback");
    }

    @Test
    void anExceptionInADictIsStored() {
        Finding read = read(GRAPH, """
                def loss_of(batch):
                >   result = net(batch)
                    raise ValueError(batch)

                def main():
                    for batch in batches:
                        try:
                ^           loss_of(batch)
                        except ValueError as fault:
                            faults[batch] = fault
                """);
        assertThat(read.cause()).isEqualTo("exception_traceback");
        assertThat(read.advice().getFirst().after()).isEqualTo("faults[batch] = fault.with_traceback(None)");
    }

    @Test
    void gradientsWithGraphsKeepTheCopiesOfAModel() {
        Finding read = read(CHECKPOINTS, """
                def adapt(net, x):
                >   learner = copy.deepcopy(net)
                    loss = learner(x).mean()
                    loss.backward(create_graph=True)
                    return [p - p.grad for p in learner.parameters()]
                """);
        assertThat(read.title()).isEqualTo("backward(create_graph=True) ties parameters and gradients together");
        assertThat(read.advice().getFirst().after()).isEmpty();
        assertThat(read.advice().getFirst().patch()).isNull();
    }

    @Test
    void gradientsThatNobodyReadsFromTheParametersAreResults() {
        Finding read = read(CHECKPOINTS, """
                def adapt(net, x):
                >   learner = copy.deepcopy(net)
                    loss = learner(x).mean()
                    loss.backward(create_graph=True)
                    return list(learner.parameters())
                """);
        assertThat(read.advice().getFirst().after())
                .isEqualTo("gradients = torch.autograd.grad(loss, list(learner.parameters()), create_graph=True)");
    }

    @Test
    void gradientsWithGraphsThatAreClearedAreNotAccused() {
        Finding read = read(CHECKPOINTS, """
                def adapt(net, x):
                >   learner = copy.deepcopy(net)
                    loss = learner(x).mean()
                    loss.backward(create_graph=True)
                    learner.zero_grad()
                    return [p - p.grad for p in learner.parameters()]
                """);
        assertThat(read.title()).isEqualTo(CHECKPOINTS.told().title());
    }

    @Test
    void copiesThatAreKeptAreNotBlamedOnGradients() {
        Finding read = read(CHECKPOINTS, """
                def adapt(net, x):
                >   learner = copy.deepcopy(net)
                    copies.append(learner)
                    loss = learner(x).mean()
                    loss.backward(create_graph=True)
                    return [p - p.grad for p in learner.parameters()]
                """);
        assertThat(read.title()).isEqualTo(CHECKPOINTS.told().title());
    }

    @Test
    void aTensorThatIsLoggedMayBeKeptByTheRecord() {
        Finding read = read(CONTAINER, """
                log.addHandler(logging.handlers.MemoryHandler(1000))

                def step(noise):
                >   image = net(noise)
                    log.debug("made %d, the first is %s", len(image), image[0])
                """);
        assertThat(read.title()).isEqualTo("probably log records keep tensors");
        assertThat(read.advice().getFirst().after())
                .isEqualTo("log.debug(\"made %d, the first is %s\", len(image), str(image[0]))");
    }

    @Test
    void numbersThatAreLoggedAreNotKept() {
        Finding read = read(CONTAINER, """
                log.addHandler(logging.handlers.MemoryHandler(1000))

                def step(noise):
                >   image = net(noise)
                    log.debug("made %d, the first is %s", len(image), image[0].mean().item())
                """);
        assertThat(read.title()).isEqualTo(CONTAINER.told().title());
    }

    @Test
    void aLogWhoseHandlersKeepNothingIsNotAccused() {
        Finding read = read(CONTAINER, """
                log.addHandler(logging.StreamHandler())

                def step(noise):
                >   image = net(noise)
                    log.debug("made %d, the first is %s", len(image), image[0])
                """);
        assertThat(read.title()).isEqualTo(CONTAINER.told().title());
    }

    @Test
    void whatIsStoredBesideANumberIsKept() {
        Finding read = read(CONTAINER, """
                def main():
                >   features = net(1)
                    rows.append((features.mean().item(), features))
                """);
        assertThat(read.advice().getFirst().after())
                .isEqualTo(
                        "rows.append((features.mean().item(), torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), features)))");
    }

    @Test
    void whatIsBoundedIsNotWhatGrows() {
        Finding read = read(CONTAINER, """
                recent = collections.deque(maxlen=8)
                found = []

                def judge(text):
                >   vector = net(text)
                    recent.append(vector)
                    if unlike(recent):
                        found.append(vector)
                """);
        assertThat(read.advice().getFirst().after())
                .isEqualTo(
                        "found.append(torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part.detach().cpu(), vector))");
    }

    @Test
    void anExceptionBesideAnotherValueOfACallIsStored() {
        Finding read = read(GRAPH, """
                try:
                >   net(batch)
                except ValueError as fault:
                    faults.append(Fault(batch, fault))
                """);
        assertThat(read.cause()).isEqualTo("exception_traceback");
    }
}
