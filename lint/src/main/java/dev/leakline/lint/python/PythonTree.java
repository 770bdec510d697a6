package dev.leakline.lint.python;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parsed file: the tree, the comments beside it, and the place of the first error. */
public final class PythonTree {
    private final PythonText source;
    private final Syntax root;
    private final List<Syntax> comments;
    private final int firstError;
    private final int size;

    PythonTree(PythonText source, Syntax root, int size, List<Syntax> comments, int firstError) {
        this.source = source;
        this.root = root;
        this.comments = List.copyOf(comments);
        this.firstError = firstError;
        this.size = size;
    }

    int firstError() {
        return firstError;
    }

    public PythonText source() {
        return source;
    }

    public Syntax root() {
        return root;
    }

    /** How many nodes there are. */
    public int size() {
        return size;
    }

    public List<Syntax> comments() {
        return comments;
    }

    /** Why Python would not run this file, with the line where that shows first, or null. */
    public @Nullable Trouble trouble() {
        String encoding = source.error();
        if (encoding != null) {
            return new Trouble(1, encoding);
        }
        List<Trouble> found = new ArrayList<>();
        if (firstError >= 0) {
            found.add(new Trouble(source.line(firstError), "invalid syntax"));
        }
        if (source.text().indexOf('\t') >= 0 || source.text().indexOf('\f') >= 0) {
            root.walk(node -> {
                if (node.is("block") && mixedIndentation(node) instanceof Trouble mixed) {
                    found.add(mixed);
                }
            });
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    /** Statements of one block have to be indented by the very same white space. */
    private @Nullable Trouble mixedIndentation(Syntax block) {
        String expected = null;
        for (Syntax statement : block.children()) {
            int line = statement.line();
            String indentation = source.indentation(line);
            int first = source.lineStart(line);
            boolean alone = source.text().substring(first, statement.start()).isBlank();
            if (alone && expected == null) {
                expected = indentation;
            } else if (alone && !indentation.equals(expected)) {
                return new Trouble(line, "inconsistent use of tabs and spaces in indentation");
            }
        }
        return null;
    }

    public record Trouble(int line, String message) {}
}
