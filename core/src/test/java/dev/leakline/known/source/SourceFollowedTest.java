package dev.leakline.known.source;

import static dev.leakline.known.source.PythonLines.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.result.Finding;
import org.junit.jupiter.api.Test;

/** Values that are kept elsewhere than in the functions that make them: in what these call, register, start and raise. */
class SourceFollowedTest {
    private static final Diagnosis CONTAINER = Diagnosis.recorded(Cause.CONTAINER);
    private static final Diagnosis MODELS = Diagnosis.recorded(Cause.MODELS);

    @Test
    void aValueThatAMethodMixesIntoItsObjectIsDetachedAtTheCall() {
        Finding read = read(CONTAINER, """
                class Mean:
                    def take(self, x, n):
                        share = x / n
                        self.value = 0.9 * self.value + 0.1 * share

                def main(net):
                    mean = Mean()
                    for batch in batches:
                >       loss = net(batch).mean()
                        mean.take(loss - 1,
                                  n=4)
                """);
        assertThat(read.cause()).isEqualTo("autograd_graph_kept");
        assertThat(after(read)).isEqualTo("self.value = (0.9 * self.value + 0.1 * share).detach()");
    }

    @Test
    void aMethodThatTakesANumberOfItsArgumentKeepsNothing() {
        assertThat(read(CONTAINER, """
                class Mean:
                    def take(self, x):
                        x = x.item()
                        self.value = 0.9 * self.value + 0.1 * x

                def main(net):
                    mean = Mean()
                    for batch in batches:
                >       loss = net(batch).mean()
                        mean.take(loss)
                """).cause()).isEqualTo("kept_in_container");
    }

    @Test
    void anExceptionHandlerOfAFrameworkIsToDropTheTraceback() {
        Finding read = read(CONTAINER, """
                @app.errorhandler(ValueError)
                def failed(error):
                    seen[error.code] = {"error": error, "at": now()}

                def answer(x):
                >   return net(x).tolist()
                """);
        assertThat(read.cause()).isEqualTo("exception_traceback");
        assertThat(after(read)).isEqualTo("seen[error.code] = {\"error\": error.with_traceback(None), \"at\": now()}");
    }

    @Test
    void aCacheThatIsPutAroundAFunctionByACallIsGivenALimit() {
        Finding read = read(CONTAINER, """
                from functools import cache

                def table(length):
                >   return torch.arange(length)

                lookup = cache(table)
                """);
        assertThat(read.title()).contains("memoized");
        assertThat(after(read)).isEqualTo("import functools\nlookup = functools.lru_cache(maxsize=LIMIT)(table)");
    }

    @Test
    void whatIsCalledAtTheExitIsUnregisteredBeforeTheNext() {
        Finding read = read(MODELS, """
                def trial(lr):
                >   net = make().cuda()
                    atexit.register(save, net, lr)
                    return train(net, lr)
                """);
        assertThat(read.cause()).isEqualTo("registered_callback");
        assertThat(after(read)).isEqualTo("atexit.unregister(save)\natexit.register(save, net, lr)");
    }

    @Test
    void whatIsUnregisteredIsNotAccused() {
        assertThat(read(MODELS, """
                def trial(lr):
                >   net = make().cuda()
                    atexit.register(save, net, lr)
                    loss = train(net, lr)
                    atexit.unregister(save)
                    return loss
                """).cause()).isEqualTo("models_kept");
    }

    @Test
    void aTaskThatIsKeptIsForgottenWhenItIsDone() {
        Finding read = read(CONTAINER, """
                async def embed(x):
                >   return net(x)

                async def serve():
                    async for x in requests:
                        task = asyncio.create_task(embed(x))
                        tasks.append(task)
                """);
        assertThat(read.cause()).isEqualTo("tasks_kept");
        assertThat(after(read)).isEqualTo("tasks.append(task)\ntask.add_done_callback(tasks.remove)");
    }

    @Test
    void aTaskThatForgetsItselfIsNotAccused() {
        assertThat(read(CONTAINER, """
                async def embed(x):
                >   return net(x)

                async def serve():
                    async for x in requests:
                        task = asyncio.create_task(embed(x))
                        tasks.add(task)
                        task.add_done_callback(tasks.discard)
                """).cause()).isEqualTo("kept_in_container");
    }

    @Test
    void aGeneratorIsTakenOutOfItsTableWhereItsCallerReturns() {
        Finding read = read(CONTAINER, """
                def tokens(x):
                >   state = net(x)
                    yield state.sum()

                def stream(key, x):
                    active[key] = source = tokens(x)
                    for token in source:
                        if token == 0:
                            return "stopped"
                    del active[key]
                    return "done"
                """);
        assertThat(read.cause()).isEqualTo("generator");
        assertThat(after(read)).isEqualTo("active.pop(key, None)\nreturn \"stopped\"");
    }

    @Test
    void allThatALogWritesAsTextIsGivenToItAsText() {
        Finding read = read(CONTAINER, """
                log.addHandler(MemoryHandler(1000))
                def step(batch):
                    out = net(batch)
                >   scores = out.logits.softmax(-1)
                    log.debug("%d: loss %s, scores %s, %.3f", number, out.loss, scores, 0.5)
                """);
        assertThat(after(read))
                .isEqualTo("log.debug(\"%d: loss %s, scores %s, %.3f\", number, str(out.loss), str(scores), 0.5)");
    }

    private static String after(Finding finding) {
        return finding.advice().getFirst().after();
    }
}
