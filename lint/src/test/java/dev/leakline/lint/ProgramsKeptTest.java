package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Programs in one file, whose steps show what is kept: a report of a run would find the same line. */
class ProgramsKeptTest {
    private static final String ENCODER = """
            import torch
            from torch import nn

            class Encoder:
                cache = {}

                def __init__(self):
                    self.net = nn.Linear(64, 64).cuda()

                @torch.no_grad()
                def encode(self, key, words):
                    Encoder.cache[key] = self.net(words)%s
                    return Encoder.cache[key]

            def main():
                Encoder.cache.clear()
                encoder = Encoder()
                for number in range(100):
                    encoder.encode(number, torch.randn(2, 64, device="cuda"))

            """;

    private static final String STARTED = "if __name__ == \"__main__\":\n    main()\n";

    @Test
    void aCacheThatIsClearedBeforeTheStepsGrows() {
        assertThat(Linted.of(ENCODER.formatted("") + STARTED)).containsExactly("LK004:12");
        assertThat(Linted.of(ENCODER.formatted("""

                            if len(Encoder.cache) > 8:
                                Encoder.cache.pop(next(iter(Encoder.cache)))\
                    """.stripTrailing()) + STARTED)).isEmpty();
        assertThat(Linted.of(ENCODER.formatted("")))
                .as("who calls main() how often, nobody sees")
                .isEmpty();
    }

    private static final String SERVER = """
            import logging, logging.handlers
            import torch
            from torch import nn

            log = logging.getLogger("serve")
            log.addHandler(logging.handlers.%s)

            @torch.inference_mode()
            def main():
                model = nn.Linear(64, 64).cuda()
                for request in range(100):
                    scores = model(torch.randn(8, 64, device="cuda"))
                    log.info("request %%d gave %%s", request, scores)

            """;

    @Test
    void recordsThatAHandlerKeepsHaveTheirTensors() {
        assertThat(Linted.of(SERVER.formatted("MemoryHandler(10_000)"))).containsExactly("LK004:13");
        assertThat(Linted.of(SERVER.formatted("RotatingFileHandler(\"log\")"))).isEmpty();
    }

    private static final String GATHERED = """
            import torch
            from torch import nn

            def windows():
                for _ in range(100):
                    yield torch.randn(16, 48, device="cuda")

            def predictions(model, stream):
                for window in stream:
                    yield model(window)

            def main():
                model = nn.Sequential(nn.Linear(48, 12)).cuda()
                collected = []
                for forecast in predictions(model, windows()):
                    collected.append(forecast%s)
                return collected

            """;

    @Test
    void whatAGeneratorGivesIsKeptByItsReader() {
        assertThat(Linted.of(GATHERED.formatted("") + STARTED)).contains("LK004:16");
        assertThat(Linted.of(GATHERED.formatted(".argmax(-1).tolist()") + STARTED))
                .doesNotContain("LK004:16");
    }
}
