package dev.leakline.lint.python;

import dev.leakline.python.PythonFile;
import dev.leakline.python.PythonText;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parsed file as the rules go over it: the tree, and the comments beside it. */
public final class PythonTree {
    private final PythonText source;
    private final Syntax root;
    private final List<Syntax> comments;
    private final int size;
    private @Nullable String code;

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

    /** The number of nodes. */
    public int size() {
        return size;
    }

    public List<Syntax> comments() {
        return comments;
    }

    /** The text with blanks in place of the comments, which do nothing. */
    public String code() {
        String known = code;
        if (known == null) {
            char[] blanked = source.text().toCharArray();
            comments.forEach(comment -> Arrays.fill(blanked, comment.start(), comment.end(), ' '));
            known = new String(blanked);
            code = known;
        }
        return known;
    }
}
