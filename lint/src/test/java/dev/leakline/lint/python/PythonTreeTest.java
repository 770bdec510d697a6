package dev.leakline.lint.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.python.PythonFile;
import dev.leakline.python.PythonText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where nodes are, whatever characters are before them, and what of a string is in the tree. */
final class PythonTreeTest {
    private static List<String> texts(String source, String type) {
        List<String> found = new ArrayList<>();
        new PythonTree(PythonFile.parse(PythonText.of(source))).root().walk(node -> {
            if (node.is(type)) {
                found.add(node.text());
            }
        });
        return found;
    }

    @Test
    void offsetsCountChars() {
        String source = "\u00FC = '\u4E2D\uD83D\uDE00'; last\n# \uD800 alone\nname = '\u00FC' + other\n";
        assertThat(texts(source, "identifier")).containsExactly("\u00FC", "last", "name", "other");
        assertThat(texts(source, "string")).containsExactly("'\u4E2D\uD83D\uDE00'", "'\u00FC'");
    }

    @Test
    void expressionsInStringsAreInTheTree() {
        assertThat(texts("x = rf'{one} {two}' + F\"\"\"{three}\"\"\" + 'f{four}' + b'{five}'", "interpolation"))
                .containsExactly("{one}", "{two}", "{three}");
    }

    @Test
    void tokensAreLeftOutUnlessTheyHaveAField() {
        assertThat(texts("x += f(a, b) if a < b else -a", "identifier")).hasSize(7);
        Syntax root = new PythonTree(PythonFile.parse(PythonText.of("x += 1"))).root();
        Syntax sum = root.children().getFirst().children().getFirst();
        assertThat(sum.text("operator")).isEqualTo("+=");
    }
}
