package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.NameSets;
import dev.leakline.python.flow.SourceFile;
import java.util.Optional;

/**
 * A statement that keeps what a line makes.
 *
 * @param add what it adds, to what
 * @param isMade whether what the line makes is kept itself, and not only what is computed from it
 * @param region what runs again and again
 * @param facts the flow whose labels begin at the line
 */
public record Kept(Add add, boolean isMade, Region region, FlowFacts facts) {
    /** Returns whether it is a part of a tensor, which keeps all of it. */
    public boolean isPart() {
        return isMade && add.value() instanceof Expr.Subscript it && it.slice() instanceof Expr.Slice;
    }

    /** Returns whether it is put into what others take it from. */
    boolean isPut() {
        return add.at() instanceof Expr.Call call && call.method().startsWith("put");
    }

    /** Returns whether it is given to an object of a library that calls it later. */
    public boolean isRegistered() {
        return add.to().isOnly(Heap.Kind.HOLDER) && add.how() == How.CALL;
    }

    /** The call that gives a variable its own tensor with another behind it; empty for other statements. */
    static Optional<Expr.Call> joining(Add add) {
        SourceFile file = add.file();
        return add.how() != How.CARRIED
                ? Optional.empty()
                : file.statement(add.at())
                        .all(Expr.Call.class)
                        .filter(call -> NameSets.has("JOINING", file.fullName(call.func()))
                                && !call.args().isEmpty()
                                && file.text(call.args().getFirst()).startsWith(file.text(add.target()), 1))
                        .findFirst();
    }

    /** Returns whether it is a task or future. */
    public boolean isTask() {
        return facts.value(add.value()).isOnly(Heap.Kind.TASK);
    }

    /** Returns whether it is an attribute whose name a call makes. */
    public boolean isNamed() {
        return add.at() instanceof Expr.Call
                && add.how() == How.ITEM
                && !add.to().isOnly(Heap.Kind.DICT)
                && !file().text(add.at()).contains(".setdefault(");
    }

    public SourceFile file() {
        return add.file();
    }

    /** The call or statement that adds. */
    Node at() {
        return add.at();
    }

    /** The expression that is added. */
    Expr value() {
        return add.value();
    }

    /** The expression that it is added to. */
    Expr target() {
        return add.target();
    }

    How how() {
        return add.how();
    }

    public Stmt statement() {
        return add.file().statement(add.at());
    }

    /** The number of its line, the first where it has several. */
    public int line() {
        return add.file().line(add.at());
    }
}
