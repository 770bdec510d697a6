package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** State that a pass gives back and the next is given again. */
final class FedBackTest {
    /** A loop that reads what a pass answers; PASS is line 6. */
    private static final String LOOP = """
            import torch
            def follow(net, world, steps):
                state = torch.zeros(1, 9, device="cuda")
                cell = torch.zeros(1, 9, device="cuda")
                for _ in range(steps):
                    PASS
                    world.step(answer.argmax().item())
            """;

    static Stream<Arguments> loops() {
        return Stream.of(
                Arguments.of("answer, state = net(world.now, state)", "state"),
                Arguments.of("answer, (state, cell) = net(world.now, (state, cell))", "state"),
                Arguments.of("answer, state = net(world.now, memory=state)", "state"),
                Arguments.of("answer = net(world.now, torch.cat([state, cell])); cell = answer.cell", "cell"),
                Arguments.of("answer, world.state = net(world.now, world.state)", "world.state"));
    }

    @ParameterizedTest
    @MethodSource
    void loops(String pass, String carried) {
        LintFinding finding = Linted.findings(LOOP.replace("PASS", pass)).getFirst();
        assertThat(finding.rule().id() + ":" + finding.line()).isEqualTo("LK002:6");
        assertThat(finding.message()).contains(carried + " carries the graph of each pass into the next");
    }

    @Test
    void aTupleThatAModuleOfTheFileGivesBackIsCarried() {
        String text = """
                import torch
                from torch import nn
                class Net(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.cell = nn.LSTMCell(9, 9)
                        self.head = nn.Linear(9, 9)
                    def forward(self, page, state):
                        h, c = self.cell(page, state)
                        return self.head(h), (h, c)
                def follow(world, state, steps):
                    net = Net().cuda()
                    for _ in range(steps):
                        answer, state = net(world.now, state)
                        world.step(answer.argmax().item())
                """;
        LintFinding finding = Linted.findings(text).getFirst();
        assertThat(finding.line()).isEqualTo(14);
        assertThat(finding.message()).contains("state carries the graph of each pass into the next");
    }

    static Stream<String> cut() {
        return Stream.of(
                "answer, state = net(world.now, state.detach())",
                "answer, other = net(world.now, state)",
                "answer, state = net(world.now, state); state = state.detach()");
    }

    @ParameterizedTest
    @MethodSource("cut")
    void whatIsDetachedCarriesNothing(String pass) {
        assertThat(Linted.findings(LOOP.replace("PASS", pass)))
                .extracting(LintFinding::message)
                .allSatisfy(message -> assertThat(message).contains("its result is only read"));
    }

    /** An object that answers, and keeps its state; BODY is line 7, RESET line 10. */
    private static final String OBJECT = """
            import torch
            class Player:
                def __init__(self, policy):
                    self.policy = policy
                    self.state = None
                def answer(self, world):
                    BODY
                    return answer
                def begin(self):
                    RESET
            """;

    static Stream<Arguments> objects() {
        String kept = "answer, self.state = self.policy(world, self.state)";
        return Stream.of(
                Arguments.of(kept, "pass", List.of("LK002:7")),
                Arguments.of(
                        "answer, state = self.policy(world, self.state); self.state = state",
                        "pass",
                        List.of("LK002:7")),
                Arguments.of(kept, "self.state = None", List.of()),
                Arguments.of(kept + "; self.state = self.state.detach()", "pass", List.of()),
                Arguments.of("answer, state = self.policy(world, None); self.state = state", "pass", List.of()),
                Arguments.of("with torch.no_grad(): " + kept, "pass", List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void objects(String body, String reset, List<String> expected) {
        String text = OBJECT.replace("BODY", body).replace("RESET", reset);
        assertThat(Linted.of(text)).as(text).isEqualTo(expected);
    }
}
