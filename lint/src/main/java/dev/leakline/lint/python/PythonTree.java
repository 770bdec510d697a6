package dev.leakline.lint.python;

import dev.leakline.python.PythonFile;
import dev.leakline.python.PythonText;
import dev.leakline.python.SyntaxError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parsed file as the rules go over it: the tree, the comments beside it, and the place of the first error. */
public final class PythonTree {
    private final PythonText source;
    private final Syntax root;
    private final List<Syntax> comments;
    private final @Nullable SyntaxError error;
    private final int size;

    private PythonTree(PythonFile file) {
        this.source = file.text();
        this.root = StatementSyntax.root(file);
        this.size = root.number(0);
        this.comments = file.comments().stream()
                .map(comment -> new Syntax(source, "comment", comment.start(), comment.end()))
                .toList();
        this.error = file.errors().isEmpty() ? null : file.errors().getFirst();
    }

    /** The tree of a text; {@link #trouble} says where it is no Python. */
    public static PythonTree parse(PythonText source) {
        return new PythonTree(PythonFile.parse(source));
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
        return error == null ? null : new Trouble(source.line(error.offset()), error.message());
    }

    public record Trouble(int line, String message) {}
}
