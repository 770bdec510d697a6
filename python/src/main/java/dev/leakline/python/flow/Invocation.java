package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A call while the flow goes through it.
 *
 * @param at the call, or what calls as one does: a decorator, a property
 * @param given the values of its arguments
 * @param named those that have a name
 * @param callees takes the functions and classes of the program that it calls
 */
record Invocation(Expr at, List<FlowValue> given, Map<String, FlowValue> named, FlowScope scope, List<Node> callees) {
    Invocation(Expr at, List<FlowValue> given, Map<String, FlowValue> named, FlowScope scope) {
        this(at, given, named, scope, new ArrayList<>());
    }

    /** The same call with other arguments. */
    Invocation with(List<FlowValue> others) {
        return new Invocation(at, others, named, scope, callees);
    }

    /** The arguments by place, where the last is any number of one kind for as many as may be wanted. */
    List<FlowValue> spread(int wanted) {
        boolean isSpread = at instanceof Expr.Call call
                && !call.args().isEmpty()
                && call.args().size() == given.size()
                && call.args().getLast() instanceof Expr.Starred;
        return isSpread
                ? Stream.concat(given.stream(), Stream.generate(given::getLast))
                        .limit(Math.max(wanted, given.size()))
                        .toList()
                : given;
    }

    /** All arguments. */
    Stream<FlowValue> all() {
        return Stream.concat(given.stream(), named.values().stream());
    }

    /** How the arguments come from the labelled line. */
    int label() {
        return all().mapToInt(FlowValue::reached).max().orElse(0);
    }

    /** The label of what is computed from the arguments. */
    int derived() {
        return Math.min(label(), FlowValue.DERIVED);
    }
}
