package dev.leakline.python;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * A Python file that was read: its statements, and beside them the comments, the parentheses that only group, and where it is no Python.
 *
 * <p>The language is that of Python 3.15, and so all that older versions accept since 3.6, but for names that became keywords. No text is
 * refused: what is no Python becomes {@link Stmt.Invalid}, takes no longer to read, and is reported among the errors.
 */
public final class PythonFile {
    /** A comment, from its number sign to the end of its line. */
    public record Comment(int start, int end) {}

    private final PythonText text;
    private final List<Stmt> body;
    private final List<Comment> comments;
    private final Parentheses parentheses;
    private final List<SyntaxError> errors;

    private PythonFile(PythonText text, List<Stmt> body, Parentheses parentheses, Tokens tokens) {
        this.text = text;
        this.body = body;
        this.parentheses = parentheses;
        this.comments = Collections.unmodifiableList(tokens.comments);
        String encoding = text.error();
        if (encoding != null) {
            tokens.errors.addFirst(new SyntaxError(0, encoding));
        }
        tokens.errors.sort(Comparator.comparingInt(SyntaxError::offset));
        this.errors = Collections.unmodifiableList(tokens.errors);
    }

    /** Reads a text. */
    public static PythonFile parse(PythonText text) {
        Tokens tokens = Lexer.read(new Characters(text.text()));
        TokenReader reader = new TokenReader(tokens);
        List<Stmt> body = new StatementParser(reader).module();
        return new PythonFile(text, body, reader.parentheses, tokens);
    }

    public PythonText text() {
        return text;
    }

    /** The statements that are in no other. */
    public List<Stmt> body() {
        return body;
    }

    public List<Comment> comments() {
        return comments;
    }

    public Parentheses parentheses() {
        return parentheses;
    }

    /** The places where the file is no Python, in the order of the source; first, where it has one, the error of its encoding. */
    public List<SyntaxError> errors() {
        return errors;
    }

    /** Hands over all nodes, each before those in it, in the order of the source. */
    public void walk(Consumer<? super Node> visitor) {
        body.forEach(statement -> statement.walk(visitor));
    }
}
