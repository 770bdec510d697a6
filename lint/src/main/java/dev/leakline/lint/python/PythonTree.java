package dev.leakline.lint.python;

import dev.leakline.python.PythonFile;
import dev.leakline.python.PythonText;
import java.util.List;

/** A parsed file as the rules go over it: the tree, and the comments beside it. */
public final class PythonTree {
    private final PythonText source;
    private final Syntax root;
    private final List<Syntax> comments;
    private final int size;

    public PythonTree(PythonFile file) {
        this.source = file.text();
        this.root = StatementSyntax.root(file);
        this.size = root.number(0);
        this.comments = file.comments().stream()
                .map(comment -> new Syntax(source, "comment", comment.start(), comment.end()))
                .toList();
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
}
