package dev.leakline.python.flow;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;

/** The place where a flow stands in a function: what its variables are now, and grad mode. */
public abstract class FlowFrame<V> {
    /** The values that variables have at the statement that is run. */
    public Map<String, V> variables = new HashMap<>();

    /** Grad mode. */
    public Certainty grad;

    private final BinaryOperator<V> joining;
    /** True if control never gets here: after return, raise, break, continue. */
    boolean isDead;

    /** A frame that joins the values which two ways leave by a function. */
    protected FlowFrame(Certainty grad, BinaryOperator<V> joining) {
        this.grad = grad;
        this.joining = joining;
    }

    /** The knowledge at a statement. */
    public record State<V>(Map<String, V> variables, boolean isDead, Certainty grad) {
        public State<V> copy() {
            return new State<>(new HashMap<>(variables), isDead, grad);
        }
    }

    /** The state itself, which goes on. */
    public State<V> state() {
        return new State<>(variables, isDead, grad);
    }

    /** Goes on from a state. */
    public void enter(State<V> state) {
        variables = state.variables;
        isDead = state.isDead;
        grad = state.grad;
    }

    /** Begins anew, without variables. */
    void begin() {
        enter(new State<>(new HashMap<>(), false, grad));
    }

    /** Takes what holds on either of two ways. */
    void join(State<V> other) {
        if (isDead && !other.isDead) {
            enter(other.copy());
        } else if (!other.isDead) {
            other.variables.forEach((name, value) -> variables.merge(name, value, joining));
            grad = grad == other.grad ? grad : Certainty.UNKNOWN;
        }
    }
}
