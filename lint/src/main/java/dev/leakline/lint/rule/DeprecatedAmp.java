package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LK013: torch.cuda.amp.GradScaler and torch.cuda.amp.autocast. */
final class DeprecatedAmp {
    private static final Pattern NEW_NAME = Pattern.compile("torch\\.amp\\.(GradScaler|autocast)");

    private DeprecatedAmp() {}

    static void check(Flow flow, Hits hits) {
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            report(call.node().func(), call.node(), flow, hits);
        }
        for (FunctionModel function : flow.file().functions()) {
            for (Expr decorator : function.decorators) {
                Expr.Call call = decorator instanceof Expr.Call it ? it : null;
                report(call == null ? decorator : call.func(), call, flow, hits);
            }
        }
    }

    /** The new name, with the device as first argument; the old autocast had its arguments in another order. */
    private static Patch renamed(Expr callee, Expr.@Nullable Call call, boolean scaler, Flow flow) {
        SourceFile file = flow.file().source();
        if (call == null) {
            return Patch.unsafe(Edit.replace(file, callee, "torch.amp.autocast(\"cuda\")"));
        }
        if (!call.args().isEmpty() && !scaler) {
            return Patch.NONE;
        }
        String arguments = flow.file().arguments(call);
        int inside = call.end() - arguments.length() + 1;
        List<Edit> edits = new ArrayList<>(List.of(
                Edit.replace(file, callee, scaler ? "torch.amp.GradScaler" : "torch.amp.autocast"),
                new Edit(file, inside, inside, call.given().findAny().isEmpty() ? "\"cuda\"" : "\"cuda\", ")));
        Edit.importing(file, "torch").forEach(edits::add);
        return new Patch(edits, true);
    }

    /** Beside the new name, in another branch of one statement: the old one is for an old torch. */
    private static boolean isFallback(Expr callee, Flow flow) {
        Node either = flow.file().enclosing(callee, node -> node instanceof Expr.IfExp || node instanceof Stmt.If);
        while (either != null && flow.file().source().parent(either) instanceof Stmt.If it && isElse(either, it)) {
            either = it;
        }
        return either != null && NEW_NAME.matcher(flow.file().text(either)).find();
    }

    private static boolean isElse(Node node, Stmt.If of) {
        return of.orelse().size() == 1 && of.orelse().getFirst() == node;
    }

    private static void report(Expr callee, Expr.@Nullable Call call, Flow flow, Hits hits) {
        String name = flow.file().qualified(flow.file().text(callee));
        boolean scaler = name.matches("torch\\.cuda\\.amp\\.(grad_scaler\\.)?GradScaler");
        boolean autocast = name.matches("torch\\.cuda\\.amp\\.(autocast_mode\\.)?autocast");
        if ((scaler || autocast) && !isFallback(callee, flow)) {
            hits.add(
                    callee,
                    Hits.SURE,
                    "%s is deprecated; use %s"
                            .formatted(
                                    flow.file().text(callee),
                                    scaler ? "torch.amp.GradScaler(\"cuda\")" : "torch.amp.autocast(\"cuda\")"),
                    renamed(callee, call, scaler, flow));
        }
    }
}
