package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The findings of a flow: values of expressions, what is added to what, and who calls whom. */
public final class FlowFacts {
    final IdentityHashMap<Node, FlowValue> values = new IdentityHashMap<>();
    final IdentityHashMap<Node, Add> adds = new IdentityHashMap<>();
    final List<Node> order = new ArrayList<>();
    final IdentityHashMap<Node, List<Node>> callees = new IdentityHashMap<>();
    final IdentityHashMap<Node, List<Expr.Call>> constructed = new IdentityHashMap<>();
    /** Expressions that mix something labelled with tensors that are not, and backward passes over something labelled. */
    final List<Node> mixed = new ArrayList<>();

    final List<Node> backward = new ArrayList<>();

    FlowFacts() {}

    /** Forgets what the round before found; the next one finds all of it again, and with fewer guesses. */
    void begin() {
        values.clear();
        adds.clear();
        order.clear();
        mixed.clear();
        backward.clear();
    }

    void construct(Node type, Expr.Call call) {
        List<Expr.Call> made = constructed.computeIfAbsent(type, _ -> new ArrayList<>());
        if (made.stream().noneMatch(each -> each == call)) {
            made.add(call);
        }
    }

    /** The ways to add. */
    public enum How {
        /** A method of a collection. */
        CALL,
        /** An item by a key or a place. */
        ITEM,
        /** {@code +=}, or a sum with itself. */
        SUM,
        /** A variable that is computed from its own value. */
        CARRIED,
        /** An object that is given the one before it: by an attribute, or as what a closure refers to. */
        CHAINED
    }

    /**
     * Something that is added to something.
     *
     * @param at the call or statement that adds it
     * @param target what it is added to
     * @param value what is added
     * @param key by which key, where it is by one
     * @param to what the target may be
     */
    public record Add(
            SourceFile file,
            Node at,
            Expr target,
            Expr value,
            @Nullable Expr key,
            FlowValue to,
            FlowValue added,
            How how) {
        /** The kind of collection; null where that is not known, or there are several. */
        public Heap.@Nullable Kind kind() {
            List<Heap.Kind> kinds =
                    to.heap().stream().map(Heap::kind).distinct().toList();
            return kinds.size() == 1 && to.kinds() == 0 ? kinds.getFirst() : null;
        }

        /** Returns whether it drops its oldest items by itself. */
        public boolean isBounded() {
            return to.heap().stream().anyMatch(heap -> heap.isBounded);
        }
    }

    /** The value of an expression. */
    public FlowValue value(Node node) {
        return Objects.requireNonNullElse(values.get(node), FlowValue.NOTHING);
    }

    public List<Add> adds() {
        return order.stream().map(at -> Objects.requireNonNull(adds.get(at))).toList();
    }

    /** The functions and classes of the program that a call may call. */
    public List<Node> callees(Node call) {
        return Objects.requireNonNullElse(callees.get(call), List.of());
    }

    /** The calls that make instances of a class. */
    public List<Expr.Call> constructed(Node type) {
        return Objects.requireNonNullElse(constructed.get(type), List.of());
    }

    /** Returns whether something labelled is computed with other tensors. */
    public boolean isMixed() {
        return !mixed.isEmpty();
    }

    /** Returns whether a backward pass goes over something labelled. */
    public boolean isBackward() {
        return !backward.isEmpty();
    }

    /** All expressions that may come to one of some objects. */
    public List<Node> uses(Set<Heap> heaps) {
        return values.entrySet().stream()
                .filter(entry -> entry.getValue().heap().stream().anyMatch(heaps::contains))
                .map(Map.Entry::getKey)
                .sorted(Comparator.comparingInt(Node::start).thenComparing(Node::end, Comparator.reverseOrder()))
                .toList();
    }
}
