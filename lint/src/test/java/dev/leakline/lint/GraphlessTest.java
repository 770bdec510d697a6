package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is made of something with a graph, and what has one of it. */
final class GraphlessTest {
    /** Something of a policy's distribution is kept; KEPT is line 9. */
    private static final String POLICY = """
            import torch
            from torch.distributions import Normal
            def play(world, opt, reader, steps):
                policy = torch.nn.Linear(8, 2).cuda()
                kept = []
                for _ in range(steps):
                    mean = policy(world.state)
                    spread = Normal(mean, 1.0)
                    kept.append(KEPT)
                    mean.sum().backward()
                    opt.step()
            """;

    static Stream<Arguments> kept() {
        return Stream.of(
                Arguments.of("spread.sample()", List.of()),
                Arguments.of("spread.rsample()", List.of("LK001:9")),
                Arguments.of("spread.log_prob(spread.sample())", List.of("LK001:9")),
                Arguments.of("spread.log_prob(spread.sample()).detach().cpu()", List.of()),
                Arguments.of("spread", List.of("LK001:9")),
                Arguments.of("reader.sample(mean)", List.of()),
                Arguments.of("reader.words(mean)", List.of()),
                Arguments.of("(mean > 0).cpu()", List.of()),
                Arguments.of("mean.argmax(-1).cpu()", List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void kept(String kept, List<String> expected) {
        assertThat(Linted.of(POLICY.replace("KEPT", kept))).as(kept).isEqualTo(expected);
    }

    /** A helper of a step that is trained is called by another one; STORE is line 14. */
    private static final String SHARED = """
            import lightning as L
            import torch
            class Net(L.LightningModule):
                def __init__(self):
                    super().__init__()
                    self.layer = torch.nn.Linear(4, 4)
                    self.rows = []
                def parts(self, batch):
                    out = self.layer(batch)
                    return MADE
                def training_step(self, batch, at):
                    return self.parts(batch)
                def HOOK(self, batch, at):
                    STORE
                def on_validation_epoch_end(self):
                    self.rows = []
            """;

    static Stream<Arguments> shared() {
        return Stream.of(
                Arguments.of("out.sum(), out.mean()", "test_step", "a, b = self.parts(batch); self.rows.append(a)"),
                Arguments.of("{'sum': out.sum()}", "validation_step", "self.rows.append(self.parts(batch)['sum'])"),
                Arguments.of("{'sum': out.sum()}", "validation_step", "self.rows.append(self.parts(batch))"),
                Arguments.of("[out.sum(), out.mean()]", "predict_step", "self.rows.extend(self.parts(batch))"),
                Arguments.of("out.sum()", "validation_step", "self.rows.append({'sum': self.parts(batch)})"));
    }

    @ParameterizedTest
    @MethodSource
    void shared(String made, String hook, String store) {
        String text = SHARED.replace("MADE", made).replace("STORE", store);
        assertThat(Linted.of(text.replace("HOOK", hook)))
                .as("%s in %s", store, hook)
                .isEmpty();
        assertThat(Linted.of(text.replace("HOOK", "on_train_batch_end")))
                .as("%s where a graph is made", store)
                .isEqualTo(List.of("LK001:14"));
    }

    static Stream<Arguments> files() {
        return Stream.of(
                Arguments.of("a buffer of samples that each update empties", """
                        import torch
                        from torch import nn
                        from torch.distributions import Categorical
                        class Net(nn.Module):
                            def __init__(self):
                                super().__init__()
                                self.first = nn.Linear(9, 9)
                                self.second = nn.Linear(9, 1)
                            def forward(self, state):
                                return Categorical(logits=self.first(state)), self.second(state)
                        class Store:
                            def __init__(self):
                                self.rows = []
                            def keep(self, state, choice, worth):
                                self.rows.append((state, choice, worth.detach()))
                            def all(self):
                                rows, self.rows = self.rows, []
                                return [torch.cat(column) for column in zip(*rows)]
                        class Learner:
                            def __init__(self, world):
                                self.world = world
                                self.net = Net().cuda()
                                self.opt = torch.optim.Adam(self.net.parameters())
                                self.store = Store()
                            def learn(self, rounds):
                                for _ in range(rounds):
                                    self.play(64)
                                    states, choices, worths = self.store.all()
                                    spread, now = self.net(states)
                                    loss = (now - worths).mean() - spread.log_prob(choices).mean()
                                    self.opt.zero_grad()
                                    loss.backward()
                                    self.opt.step()
                            @torch.no_grad()
                            def play(self, steps):
                                for _ in range(steps):
                                    state = self.world.state().cuda()
                                    spread, worth = self.net(state)
                                    choice = spread.sample()
                                    self.world.step(choice.item())
                                    self.store.keep(state, choice, worth)
                        """, List.of()),
                Arguments.of("a callback of Lightning that runs the module while it validates", """
                        import lightning as L
                        class Grid(L.Callback):
                            def __init__(self):
                                self.rows = []
                            def on_validation_batch_end(self, trainer, module, outputs, batch, at):
                                self.rows.append(module(batch).mean())
                            def on_validation_epoch_end(self, trainer, module):
                                self.rows.clear()
                        """, List.of()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void files(String name, String text, List<String> expected) {
        assertThat(Linted.of(text)).as(name).isEqualTo(expected);
    }
}
