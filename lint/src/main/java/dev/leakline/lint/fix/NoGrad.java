package dev.leakline.lint.fix;

import dev.leakline.lint.fix.Patch.Edit;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.python.Syntax;
import dev.leakline.python.PythonText;
import java.util.ArrayList;
import java.util.List;

/** Puts passes under no_grad: by a decorator, or statement by statement where the function does other things too. */
public final class NoGrad {
    private static final String CONTEXT = "torch.no_grad()";

    private NoGrad() {}

    public static Patch around(FunctionModel function, List<Syntax> passes, Flow flow, boolean isSafe) {
        FileModel file = flow.file();
        boolean whole = !function.isModuleLevel()
                && !function.node.is("lambda")
                && !function.goesBackward
                && !function.node.source().text().startsWith("async", function.node.start());
        List<Edit> edits = new ArrayList<>();
        if (whole) {
            PythonText source = function.node.source();
            Syntax definition = function.node;
            String indentation = source.indentation(definition.line());
            edits.add(
                    new Edit(definition.start(), definition.start(), "@" + CONTEXT + source.lineBreak() + indentation));
        } else {
            List<Syntax> wrapped = new ArrayList<>();
            for (Syntax pass : passes) {
                Syntax statement = pass.statement();
                if (Rewriting.isSimple(statement) && !wrapped.contains(statement)) {
                    wrapped.add(statement);
                    edits.add(Rewriting.wrap(pass, CONTEXT));
                }
            }
        }
        if (edits.isEmpty()) {
            return Patch.NONE;
        }
        edits.addAll(Rewriting.importing(file, "torch"));
        return new Patch(edits, isSafe);
    }
}
