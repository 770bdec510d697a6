package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Fixes put what they add where the program still works. */
final class FixPlacesTest {
    private static LintFinding only(String rule, String text) {
        List<LintFinding> found = Linted.findings(text).stream()
                .filter(finding -> finding.rule().id().equals(rule))
                .toList();
        assertThat(found).isNotEmpty();
        return found.getFirst();
    }

    private static String fixed(String rule, String text) {
        return Fixer.apply(
                text,
                Linted.findings(text).stream()
                        .filter(finding -> finding.rule().id().equals(rule))
                        .toList());
    }

    @Test
    void coroutineMayHaveAGraphDespiteItsDecorator() {
        String text = """
                import torch
                class Worker:
                    def __init__(self, model: torch.nn.Module):
                        self.model = model
                        self.kept = {}
                    @torch.inference_mode()
                    async def handle(self, number, page):
                        self.kept[number] = self.model(page.cuda())
                """;
        assertThat(fixed("LK004", text)).contains("self.model(page.cuda()).detach().cpu()\n");
        assertThat(fixed("LK004", text.replace("async ", ""))).contains("self.model(page.cuda()).detach().cpu()\n");
    }

    @Test
    void aCacheOfTensorsIsNotMovedAsATensor() {
        String text = """
                import torch
                class Talk:
                    def __init__(self, model: torch.nn.Module):
                        self.model = model
                        self.kept = {}
                    @torch.inference_mode()
                    def handle(self, number, page):
                        answer = self.model(page.cuda())
                        self.kept[number] = answer.past_key_values
                """;
        assertThat(fixed("LK004", text)).contains("lambda part: part.detach().cpu(), answer.past_key_values)");
        assertThat(fixed("LK004", text.replace("past_key_values", "logits"))).contains("answer.logits");
    }

    @Test
    void metricIsResetWhenItsValueWasRead() {
        String text = """
                import torchmetrics
                def run(net, pages):
                    metric = torchmetrics.AUROC(task="binary")
                    for epoch in range(9):
                        for page, mark in pages:
                            metric.update(net(page), mark)
                        score = metric.compute()
                        print(score)
                """;
        assertThat(fixed("LK007", text)).contains("score = metric.compute()\n        metric.reset()\n        print");
        String returned = """
                import torchmetrics
                class Judge:
                    def __init__(self):
                        self.metric = torchmetrics.AUROC(task="binary")
                    def run(self, net, pages):
                        for page, mark in pages:
                            self.metric.update(net(page), mark)
                        return self.metric.compute()
                """;
        assertThat(fixed("LK007", returned))
                .contains("result = self.metric.compute()\n        self.metric.reset()\n        return result\n");
    }

    @Test
    void hooksAreRemovedAfterThePassThatNeedsThem() {
        String text = """
                import torch
                def look(net, page, seen):
                    net.first.register_forward_hook(seen.one)
                    net.second.register_forward_hook(seen.two)
                    page = page.cuda()
                    out = net(page)
                    return out
                def main(net, pages, seen):
                    for page in pages:
                        look(net, page, seen)
                """;
        assertThat(fixed("LK015", text))
                .contains("    handle = net.first.", "    handle_2 = net.second.")
                .containsPattern("out = net\\(page\\)\\n(    handle(_2)?\\.remove\\(\\)\\n){2}    return out");
        assertThat(fixed("LK015", text.replace("out = net(page)\n    return out", "return net(page)")))
                .contains("    result = net(page)\n    handle.remove()\n    return result\n")
                .doesNotContain("handle_2");
    }

    @Test
    void raiseStaysInItsHandler() {
        String text = """
                import torch
                def run(net, page):
                    try:
                        return net(page)
                    except torch.cuda.OutOfMemoryError:
                        if page.shape[0] == 1:
                            raise
                        return net(page[:1])
                """;
        assertThat(only("LK008", text).fix().edits()).isEmpty();
        assertThat(only("LK008", text.replace("raise\n", "print(1)\n")).fix().edits())
                .isNotEmpty();
    }

    @Test
    void carriedStateIsDetachedAfterTheStep() {
        String text = """
                import torch
                def run(cell, head, pages, opt, state):
                    for page, mark in pages:
                        out, state = cell(page, state)
                        loss = torch.nn.functional.mse_loss(head(out), mark)
                        opt.zero_grad()
                        loss.backward(retain_graph=True)
                        opt.step()
                """;
        LintFinding found = only("LK003", text);
        assertThat(found.fix().isSafe()).isFalse();
        assertThat(found.message()).contains("state").doesNotContain("nothing goes backward");
        assertThat(fixed("LK003", text)).contains("loss.backward()\n        state = state.detach() if ");
        LintFinding plain = only("LK003", text.replace("out, state = cell", "out, other = cell"));
        assertThat(plain.fix().isSafe()).isTrue();
        assertThat(plain.message()).contains("nothing goes backward");
    }

    @Test
    void attributeThatIsCarriedIsDetached() {
        String text = """
                import torch
                class Trainer:
                    def step(self, page, mark):
                        out = self.cell(page, self.state)
                        self.state = out
                        loss = torch.nn.functional.mse_loss(out, mark)
                        loss.backward(retain_graph=True)
                        return loss.item()
                """;
        assertThat(only("LK003", text).fix().isSafe()).isFalse();
        assertThat(fixed("LK003", text)).contains("loss.backward()\n        self.state = self.state.detach()");
    }

    @Test
    void whatMayBeNoTensorIsNotDetachedUnasked() {
        String text = """
                class Meter:
                    def __init__(self):
                        self.total = 0.0
                    def add(self, loss):
                        self.total += loss * 2
                        loss.backward()
                class Plain:
                    def __init__(self):
                        self.total = 0.0
                    def add(self, loss, torch):
                        self.total += 0.9 * loss
                def main(net, pages, plain):
                    for page in pages:
                        plain.add(net(page).mean())
                """;
        assertThat(Linted.findings(text))
                .filteredOn(f -> f.rule().id().equals("LK001"))
                .isNotEmpty()
                .noneMatch(finding -> finding.fix().isSafe());
    }

    /** A penalty on gradients goes backward through them: without their graph it would train nothing. */
    @Test
    void gradientsThatAreReadKeepTheirGraph() {
        String text = """
                import torch
                def penalty(critic, points):
                    score = critic(points).sum()
                    score.backward(create_graph=True)
                    return (points.grad.norm(2, dim=1) - 1).square().mean()
                """;
        assertThat(only("LK003", text).fix().edits()).isEmpty();
        assertThat(only("LK003", text.replace("points.grad.norm(2, dim=1)", "score"))
                        .fix()
                        .isSafe())
                .isFalse();
    }
}
