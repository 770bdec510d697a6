package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Pattern.MatchAs;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFrame.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs statements the way Python would, on abstract values: each way of a branch from the same state, loops twice; what the ways leave is joined. */
public abstract class ControlFlow<V, F extends FlowFrame<V>> {
    /** Passes over a loop: the second finds what the first left; where that is nothing new, one is enough. */
    private static final int PASSES = 2;

    /** A control flow without state of its own. */
    protected ControlFlow() {}

    /** Runs a statement that is no branch. */
    protected abstract void run(Stmt statement, F frame);

    /** The value of an expression. */
    protected abstract V value(Expr expression, F frame);

    /** Gives an exception to the variable of a handler. */
    protected abstract void caught(Node.ExceptHandler handler, String name, F frame);

    /** Enters a context, and gives what it gives to its variable; the result is grad mode in it. */
    protected abstract Certainty entered(Node.WithItem item, Stmt.With statement, F frame);

    /** Takes from the values of variables what a condition rules out, where it holds or does not. */
    protected void narrow(Expr condition, boolean holds, F frame) {}

    /** Counts work: statements, and variables that are copied. */
    protected void count(int work) {}

    /** Runs statements one after another. */
    public final void block(List<? extends Node> statements, F frame) {
        for (Node statement : statements) {
            if (statement instanceof Stmt it) {
                count(1);
                execute(it, frame);
            }
        }
    }

    private void execute(Stmt statement, F frame) {
        switch (statement) {
            case Stmt.If it -> choose(it, frame);
            case Stmt.Try it -> attempt(it, frame);
            case Stmt.Match it -> match(it, frame);
            case Stmt.With it -> enter(it, frame);
            case Stmt.Return _, Stmt.Raise _, Stmt.Break _, Stmt.Continue _ -> {
                run(statement, frame);
                frame.isDead = true;
            }
            default -> run(statement, frame);
        }
    }

    private void choose(Stmt.If node, F frame) {
        value(node.test(), frame);
        State<V> before = copy(frame);
        narrow(node.test(), true, frame);
        block(node.body(), frame);
        State<V> after = frame.state();
        frame.enter(before);
        narrow(node.test(), false, frame);
        block(node.orelse(), frame);
        frame.join(after);
    }

    private void attempt(Stmt.Try node, F frame) {
        State<V> before = copy(frame);
        block(node.body(), frame);
        for (Node.ExceptHandler handler : node.handlers()) {
            State<V> after = frame.state();
            frame.enter(before.copy());
            frame.join(new State<>(after.variables(), false, after.grad()));
            if (handler.name() != null) {
                caught(handler, handler.name(), frame);
            }
            block(handler.body(), frame);
            State<V> handled = frame.state();
            frame.enter(after);
            frame.join(handled);
        }
        block(node.orelse(), frame);
        boolean isDead = frame.isDead;
        frame.isDead = before.isDead();
        block(node.finalbody(), frame);
        frame.isDead = isDead;
    }

    private void match(Stmt.Match node, F frame) {
        value(node.subject(), frame);
        State<V> before = copy(frame);
        for (Node.MatchCase each : node.cases()) {
            State<V> joined = frame.state();
            frame.enter(before.copy());
            each.pattern().all(MatchAs.class).forEach(it -> frame.variables.remove(it.name()));
            if (each.guard() != null) {
                value(each.guard(), frame);
            }
            block(each.body(), frame);
            State<V> after = frame.state();
            frame.enter(joined);
            frame.join(after);
        }
    }

    private void enter(Stmt.With node, F frame) {
        Certainty before = frame.grad;
        for (Node.WithItem item : node.items()) {
            frame.grad = entered(item, node, frame);
        }
        block(node.body(), frame);
        frame.grad = before;
    }

    private State<V> copy(F frame) {
        count(frame.variables.size());
        return frame.state().copy();
    }

    /** Runs the body of a loop, each time after its head. */
    protected final void repeat(Runnable head, List<Stmt> body, F frame) {
        State<V> before = copy(frame);
        for (int pass = 0; pass < PASSES; pass++) {
            head.run();
            Map<String, V> entered = new HashMap<>(frame.variables);
            block(body, frame);
            frame.isDead = before.isDead();
            frame.join(before);
            if (frame.variables.equals(entered)) {
                break;
            }
        }
    }
}
