package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.fix.Rewriting;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** LK013: torch.cuda.amp.GradScaler and torch.cuda.amp.autocast. */
public final class DeprecatedAmp implements RuleCheck {
    private static final Pattern NEW_NAME = Pattern.compile("torch\\.amp\\.(GradScaler|autocast)");

    @Override
    public String rule() {
        return "LK013";
    }

    @Override
    public List<String> words() {
        return List.of("GradScaler", "autocast");
    }

    @Override
    public void check(Flow flow, Hits hits) {
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            if (call.node().child("function") instanceof Syntax callee) {
                report(callee, flow, hits);
            }
        }
        flow.file()
                .functions()
                .forEach(function -> function.decorators.forEach(decorator -> {
                    Syntax what = decorator.children().isEmpty()
                            ? decorator
                            : decorator.children().getFirst();
                    report(
                            what.is("call") && what.child("function") instanceof Syntax callee ? callee : what,
                            flow,
                            hits);
                }));
    }

    /** The new name, with the device as first argument; the old autocast had its arguments in another order. */
    private static Patch renamed(Syntax callee, boolean scaler, Flow flow) {
        Syntax arguments = callee.parent() != null && callee.parent().is("call")
                ? callee.parent().child("arguments")
                : null;
        if (arguments == null) {
            return Patch.unsafe(Rewriting.replace(callee, "torch.amp.autocast(\"cuda\")"));
        }
        boolean places = arguments.children().stream().anyMatch(argument -> !argument.is("keyword_argument"));
        if (places && !scaler) {
            return Patch.NONE;
        }
        int inside = arguments.start() + 1;
        List<Patch.Edit> edits = new ArrayList<>(List.of(
                Rewriting.replace(callee, scaler ? "torch.amp.GradScaler" : "torch.amp.autocast"),
                new Patch.Edit(inside, inside, arguments.children().isEmpty() ? "\"cuda\"" : "\"cuda\", ")));
        edits.addAll(Rewriting.importing(flow.file(), "torch"));
        return new Patch(edits, true);
    }

    /** Beside the new name, in another branch of one statement: the old one is for an old torch. */
    private static boolean isFallback(Syntax callee) {
        Syntax either = callee.enclosing("conditional_expression", "if_statement");
        return either != null && NEW_NAME.matcher(either.text()).find();
    }

    private void report(Syntax callee, Flow flow, Hits hits) {
        String name = flow.file().qualified(callee.text());
        boolean scaler = name.matches("torch\\.cuda\\.amp\\.(grad_scaler\\.)?GradScaler");
        boolean autocast = name.matches("torch\\.cuda\\.amp\\.(autocast_mode\\.)?autocast");
        if ((scaler || autocast) && !isFallback(callee)) {
            hits.add(
                    this,
                    callee,
                    Hits.SURE,
                    "%s is deprecated; use %s"
                            .formatted(
                                    callee.text(),
                                    scaler ? "torch.amp.GradScaler(\"cuda\")" : "torch.amp.autocast(\"cuda\")"),
                    renamed(callee, scaler, flow));
        }
    }
}
