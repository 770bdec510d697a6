package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import java.util.List;

/** Notes what calls that are known to keep an argument ({@link Keeping}) add to what. */
final class FlowAdditions {
    private final ProgramFlow flow;

    FlowAdditions(ProgramFlow flow) {
        this.flow = flow;
    }

    /** Notes what a call that is known to keep an argument adds to what. */
    void note(Expr.Call call, Expr called, String name, FlowValue on, List<FlowValue> given, FlowScope scope) {
        Keeping row = Keeping.of(called, name);
        Expr written = row == null ? null : row.value(call.args(), given);
        Expr holder = row == null
                ? null
                : row.holder() == Keeping.SELF
                        ? called instanceof Expr.Attribute method ? method.value() : null
                        : Keeping.argument(call.args(), row.holder());
        if (row == null || written == null || holder == null) {
            return;
        }
        FlowValue to = row.holder() == Keeping.SELF ? on : given.get(row.holder());
        if (!isKeeping(row, to, call)) {
            return;
        }
        FlowValue value = given.get(call.args().indexOf(written));
        FlowValue added = row.isEach() ? value.items().labelled(value.label()) : value;
        Expr key = Keeping.argument(call.args(), row.key());
        String field =
                row.in() != Keeping.In.OBJECT ? Heap.ITEMS : key instanceof Expr.Constant it ? unquoted(it, scope) : "";
        if (!field.isEmpty()) {
            to.heap().forEach(heap -> flow.add(heap, field, added));
        }
        flow.note(new FlowFacts.Add(
                scope.file,
                call,
                holder,
                written,
                key,
                to,
                added,
                key == null ? FlowFacts.How.CALL : FlowFacts.How.ITEM));
    }

    /** Returns whether what a call gives something to may be one that keeps it, and is no object whose class says what the call does. */
    private boolean isKeeping(Keeping row, FlowValue to, Expr.Call call) {
        boolean isCollection = to.heap().stream().anyMatch(heap -> !heap.kind.isNamespace());
        boolean isDerived =
                to.isOnly(Heap.Kind.INSTANCE) && flow.facts.value(call.func()).equals(FlowValue.ANY);
        return switch (row.in()) {
            case OBJECT -> true;
            case KNOWN -> isCollection;
            case COLLECTION -> isCollection || isDerived || (to.heap().isEmpty() && !to.is(FlowValue.TENSOR));
        };
    }

    /** A name that is written as a text. */
    static String unquoted(Expr.Constant name, FlowScope scope) {
        String text = scope.file.text(name);
        return text.substring(1, Math.max(text.length() - 1, 1));
    }
}
