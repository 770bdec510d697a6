package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.lint.Linter.FileResult;
import dev.leakline.python.PythonText;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Python that would take time and memory without end is not judged, and that is said. */
class LimitsTest {
    private static FileResult lint(String text) {
        return new Linter(_ -> true).lint("x.py", PythonText.of(text));
    }

    private static String branches(int count) {
        return "import torch\ndef f(model, xs):\n    y = xs\n    for x in xs:\n"
                + IntStream.range(0, count)
                        .mapToObj(i -> "        if a" + i + ": y = model(y)\n")
                        .collect(Collectors.joining());
    }

    @Test
    void aValueFromThousandsOfPlacesIsTooMuch() {
        assertThat(lint(branches(3000)).error().message())
                .startsWith("is too large to judge: a value comes from more than");
        assertThat(lint(branches(200)).error()).isNull();
    }

    @Test
    void aDictOfManyThousandsIsTooMuch() {
        String pairs =
                IntStream.range(0, 50_000).mapToObj(i -> i + ": model(x)").collect(Collectors.joining(", "));
        assertThat(lint("import torch\ndef f(model, x):\n    return {" + pairs + "}\n")
                        .error()
                        .message())
                .startsWith("is too large to judge");
    }

    @Test
    void aTextOfMegabytesIsTooMuch() {
        String text = "import torch\n" + "x = model(y)\n".repeat(200_000);
        assertThat(lint(text).error().message())
                .isEqualTo("is too large to judge: it has more than 2,000,000 characters");
    }

    @Test
    void loopsInLoopsEnd() {
        StringBuilder text = new StringBuilder("import torch\ndef f(model, x):\n");
        for (int i = 0; i < 90; i++) {
            text.append(" ".repeat(4 + i)).append("for i").append(i).append(" in x:\n");
        }
        assertThat(lint(text.append(" ".repeat(94)).append("y = model(x)\n").toString()))
                .isNotNull();
    }
}
