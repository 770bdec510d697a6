package dev.leakline.lint.fix;

import dev.leakline.lint.fix.Patch.Edit;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.python.Node;
import dev.leakline.python.PythonText;
import dev.leakline.python.Stmt;
import java.util.ArrayList;
import java.util.List;

/** Puts passes under no_grad: by a decorator, or statement by statement where the function does other things too. */
public final class NoGrad {
    private static final String CONTEXT = "torch.no_grad()";

    private NoGrad() {}

    public static Patch around(FunctionModel function, List<Node> passes, FileModel file, boolean isSafe) {
        PythonText source = file.source().text();
        List<Edit> edits = new ArrayList<>();
        if (function.node instanceof Stmt.FunctionDef definition && !function.goesBackward && !definition.isAsync()) {
            String indentation = source.indentation(source.line(definition.start()));
            edits.add(
                    new Edit(definition.start(), definition.start(), "@" + CONTEXT + source.lineBreak() + indentation));
        } else {
            passes.stream()
                    .map(file.source()::statement)
                    .filter(statement -> Rewriting.isSimple(statement, source))
                    .distinct()
                    .forEach(statement -> edits.add(Rewriting.wrap(statement, CONTEXT, source)));
        }
        if (edits.isEmpty()) {
            return Patch.NONE;
        }
        edits.addAll(Rewriting.importing(file, "torch"));
        return new Patch(edits, isSafe);
    }
}
