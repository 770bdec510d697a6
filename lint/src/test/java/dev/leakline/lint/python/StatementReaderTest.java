package dev.leakline.lint.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.lint.python.Tokens.Unexpected;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fast parser makes the tree that tree-sitter makes, or leaves the text to it. */
final class StatementReaderTest {
    private static final String PROGRAM = """
            from __future__ import annotations, division
            from .. import a as b, c
            from m import (p, q,)
            import a.b.c as d, e
            @dec(1)  # why
            @x.y
            async def f(a, b: int = 1, /, *args: int, c=2, **kw) -> List[int]:
                \"""doc\\n\"""
                x: int | None = a if b else c
                async with a as b, c() as (d, e), g:
                    await q.r(1)
                with (a as b, c):
                    pass
                # kept
              # not kept
            def g(a, *, b, c): return -a ** 2, not b == c  # same line
            class A(B, metaclass=C):
                a = b = c, d
                a, *b = c
                (a, [b]) = (1,)
                a.b[1:2, ::3, ...] += yield x
            try:
                assert a, "b"
            except (A, B) as e:
                raise X(e) from e
            except:
                raise
            else:
                del a, b[1]
            finally:
                global x, y
            for i, (j, k) in enumerate(a, 1): print(i)
            else:
                while x := y: break
                else: continue
            if a: pass
            elif b: pass
            # outside
            else: pass
            z = [a for b, in c if d if e for f in g]
            z = {a: b for a, b in c} | {**a, 'b': 1} | {a, *b}
            z = f(a for a in b) + f(*a, **b, c=1, d=lambda: 1, e=lambda x, *y, z=1, **k: x)
            z = f"a{b!r:>{width}.2f}{c=} {{x}} {d:%Y-%m}" 'b' rb'\\x00' f'{a["b"]}' f"{x, y}"
            z = 1 < 2 <= 3 not in x is not y in w
            z = 0x1F + 1_000j - 1.0e5 // ~a @ b << 1 | 2 ^ 4 ** -5 ** 6
            z = a or b and not c
            z = ((yield), (), (a,), (x for x in y), (a))
            z = a \\
                + b
            z = a[b, c:d, :, ...](
                1,  # one
            )
            a; b, c
            a,
            """;

    private static List<String> lines(Syntax node, int depth) {
        String own = "%s%s: %s %d-%d".formatted(" ".repeat(depth), node.field(), node.type(), node.start(), node.end());
        Stream<String> below = node.is("type")
                ? Stream.of()
                : node.children().stream().flatMap(child -> lines(child, depth + 1).stream());
        return Stream.concat(Stream.of(own), below).toList();
    }

    private static void assertSame(PythonText text) {
        PythonTree fast = StatementReader.read(text);
        try (TolerantParser parser = new TolerantParser()) {
            PythonTree slow = parser.parse(text);
            assertThat(lines(fast.root(), 0)).isEqualTo(lines(slow.root(), 0));
            assertThat(fast.comments())
                    .map(Syntax::start)
                    .isEqualTo(slow.comments().stream().map(Syntax::start).toList());
        }
    }

    @Test
    void readsWhatTreeSitterReads() {
        assertSame(PythonText.of(PROGRAM));
        assertSame(PythonText.of(PROGRAM.replace("doc", "\u4e2d\ud83d\ude00")));
        String plain = PROGRAM.replaceAll(" *#.*", ""); // the grammar counts a carriage return to a comment
        assertSame(PythonText.of(plain.replace("\n", "\r\n")));
        assertSame(PythonText.of(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "print 'x'\n",
                "match x:\n    case 1: pass\n",
                "def f(:\n    pass\n",
                "x = (1\n",
                "x = 'a\n",
                "x = 1\n  y = 2\n",
                "if x:\n    y\n  z\n",
                "<<<<<<< ours\n",
                "%matplotlib inline\n",
                "x = 1\0\n",
                "type X = int\n",
                "a = 1 2\n"
            })
    void leavesTheRest(String text) {
        assertThatExceptionOfType(Unexpected.class).isThrownBy(() -> StatementReader.read(PythonText.of(text)));
    }

    @Test
    void deepNestingIsLeftToo() {
        String text = "x = " + "(".repeat(5000) + ")".repeat(5000) + "\n";
        assertThatExceptionOfType(Unexpected.class).isThrownBy(() -> StatementReader.read(PythonText.of(text)));
    }

    @Test
    void readsTheFilesOfTheBench() throws IOException {
        String data = System.getenv("LEAKLINE_DATA");
        Path files = Path.of(data == null ? "" : data, "lintbench", "files");
        assumeTrue(data != null && Files.isDirectory(files));
        int read = 0;
        try (Stream<Path> all = Files.list(files)) {
            for (Path file : all.toList()) {
                PythonText text = PythonText.decode(Files.readAllBytes(file));
                if (!text.text().contains("match ")) {
                    assertSame(text);
                    read++;
                }
            }
        }
        assertThat(read).isGreaterThan(100);
    }
}
