package dev.leakline.lint.fix;

import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.python.Node;
import dev.leakline.python.PythonText;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
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
            Edit.before(file.source(), definition, List.of("@" + CONTEXT)).ifPresent(edits::add);
        } else {
            passes.stream()
                    .map(file.source()::statement)
                    .filter(statement -> Rewriting.isSimple(statement, source))
                    .distinct()
                    .forEach(statement -> edits.add(Rewriting.wrap(statement, CONTEXT, file.source())));
        }
        if (edits.isEmpty()) {
            return Patch.NONE;
        }
        Edit.importing(file.source(), "torch").forEach(edits::add);
        return new Patch(edits, isSafe);
    }
}
