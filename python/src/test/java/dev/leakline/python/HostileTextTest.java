package dev.leakline.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.testkit.Fuzzing;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that are no Python: none throws, none hangs, none takes more than its length in time, none makes a tree that a visitor runs out of stack in. */
@Isolated("measures time")
final class HostileTextTest {
    private static final Path SEEDS = Path.of("src/test/python/every_construct.py");
    private static final List<String> SNIPPETS = List.of(
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "'",
            "\"",
            "'''",
            "\"\"\"",
            "f'",
            "f\"\"\"{",
            "t'{",
            "{{",
            "}}",
            ":",
            ";",
            ",",
            "\\",
            "\n",
            "\r",
            "\t",
            "    ",
            "\f",
            "#",
            "\0",
            "\ufeff",
            "\ud835",
            "\u00e9",
            "if ",
            "elif x:",
            "else:",
            "def ",
            "class ",
            "match x:\n case ",
            "lambda ",
            "async ",
            "await ",
            "yield ",
            "for ",
            " in ",
            "with (",
            "try:\n",
            "except* ",
            "import ",
            "from . ",
            "@",
            "=",
            ":=",
            "**",
            "->",
            "!r",
            "0x",
            "1_",
            "1e",
            "\\N{",
            "print x",
            "not ",
            "-",
            "`",
            "$");
    private static final int RUNS_ON_PUSH = 10_000;
    /** The stack that a thread has if nobody says otherwise. */
    private static final int STACK_BYTES = 1 << 20;

    @Test
    void changedFilesAreReadToTheirEnd() throws IOException {
        String seed = Files.readString(SEEDS);
        Fuzzing.runs(RUNS_ON_PUSH, random -> {
            int from = random.nextInt(seed.length());
            String part = seed.substring(from, Math.min(seed.length(), from + random.nextInt(600)));
            check(Fuzzing.changed(part, SNIPPETS, random));
        });
    }

    /** Nothing follows the decorator in its block: what is no Python ends with it, and not with its line. */
    @Test
    void aDecoratorOfNothingEndsWithItself() {
        check("def f():\n    @ a\nb\n");
        check(")");
    }

    /** Checks that every node lies within the one around it, and within the text; but for decorators and defaults, as in CPython. */
    private static void check(String text) {
        PythonFile file = PythonFile.parse(PythonText.of(text));
        for (Stmt statement : file.body()) {
            check(statement, 0, text.length());
        }
        file.errors().forEach(error -> assertThat(error.offset()).isBetween(0, text.length()));
    }

    private static void check(Node node, int from, int to) {
        if (node.start() < from || node.end() < node.start() || node.end() > to) {
            throw new AssertionError("%s is not within %s to %s".formatted(node, from, to));
        }
        boolean isDecorated = node instanceof Stmt.FunctionDef || node instanceof Stmt.ClassDef;
        int start = isDecorated ? 0 : node.start();
        int end = node instanceof Node.Arg ? to : node.end();
        node.forEachChild(child -> check(child, start, end));
    }

    private static String nested(String open, String inner, String close, int depth) {
        return open.repeat(depth) + inner + close.repeat(depth) + "\n";
    }

    private static String blocks(int depth) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            text.append(" ".repeat(i)).append("if a:\n");
        }
        return text.append(" ".repeat(depth)).append("b\n").toString();
    }

    private static final List<IntFunction<String>> DEEP = List.of(
            n -> nested("(", "a", ")", n),
            n -> nested("[", "a", "]", n),
            n -> nested("{a: ", "b", "}", n),
            n -> nested("f(", "a", ")", n),
            n -> nested("a[", "b", "]", n),
            n -> nested("not ", "a", "", n),
            n -> nested("- ", "a", "", n),
            n -> nested("lambda: ", "a", "", n),
            n -> nested("a if b else ", "c", "", n),
            n -> nested("a ** ", "b", "", n),
            n -> nested("(yield ", "b", ")", n),
            n -> nested("a + (b * ", "c", ")", n),
            n -> nested("f'{", "a", "}'", n),
            n -> nested("f'{a:", "b", "}'", n),
            n -> "a" + ".b".repeat(n) + "\n",
            n -> "a" + "(b)".repeat(n) + "\n",
            n -> "a" + " + b".repeat(n) + "\n",
            n -> "if a: b\n" + "elif c: d\n".repeat(n),
            n -> "match a:\n case " + nested("[", "a", "]", n).strip() + ": pass\n",
            n -> blocks(n % 3000));

    @Test
    void noTreeIsDeeperThanAStack() throws InterruptedException {
        for (IntFunction<String> shape : DEEP) {
            for (int depth : new int[] {100, 199, 201, 999, 1_001, 50_000}) {
                String text = shape.apply(depth);
                Throwable[] thrown = new Throwable[1];
                Thread thread = new Thread(null, () -> check(text), "deep", STACK_BYTES);
                thread.setUncaughtExceptionHandler((_, failure) -> thrown[0] = failure);
                thread.start();
                thread.join();
                assertThat(thrown[0]).as("%.20s, %s deep", text, depth).isNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(",
                "x = (\n",
                "f'{",
                "f'{a\n",
                "f'''{",
                "'''",
                "\"\"\"a\n",
                "{",
                "}",
                "((]]",
                "f'{(}'",
                "x = (\nclass A:\n",
                "match (\n",
                "with (a\n",
                "try:\n",
                "if a:\n b\n  c\n",
                " a\n",
                "@a\n",
                "\\\n",
                "\0",
                "\\N{",
                "f'\\N{a",
                "a.",
                "-",
                "lambda ",
                "0x",
                "not ",
                "x = f'{a:{b\n",
                "(a\nimport b\n"
            })
    void timeGrowsAsTheTextDoes(String piece) {
        int length = 50_000 / piece.length();
        String shorter = piece.repeat(length);
        String longer = piece.repeat(8 * length);
        seconds(shorter);
        double first = Math.max(seconds(shorter), 0.01);
        assertThat(seconds(longer)).as("%s repeated", piece).isLessThan(8 * 4 * first);
    }

    /** The best of three, of this thread's own time. */
    private static double seconds(String text) {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            PythonFile.parse(PythonText.of(text));
            best = Math.min(best, (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / 1e9);
        }
        return best;
    }
}
