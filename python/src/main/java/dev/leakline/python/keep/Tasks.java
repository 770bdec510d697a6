package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import dev.leakline.python.keep.Reads.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds tasks and futures that a program keeps after they have ended: each keeps what its function returned, or raised. */
public final class Tasks {
    private static final String DONE = "add_done_callback";

    private final KeptSearch search;
    private final SeenProgram seen;

    /** Looks in the program of a search. */
    public Tasks(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** The statement that keeps a task which runs a function of the calls, where nothing takes it out again. */
    public Optional<Keeper> kept() {
        List<Stmt.FunctionDef> functions = search.calls().functions();
        return seen.all(Expr.Call.class)
                .filter(call -> seen.facts().value(call).isOnly(Heap.Kind.TASK))
                .filter(call -> Stream.concat(Stream.of(call), call.args().stream())
                        .flatMap(each -> seen.facts().callees(each).stream())
                        .anyMatch(functions::contains))
                .flatMap(call -> search.kept(List.of(call)))
                .filter(kept -> kept.isMade() && !search.isEmptied(kept) && !isHandedOver(kept))
                .findFirst()
                .map(kept ->
                        Keeper.guess(Kind.TASKS, kept.file(), kept.statement(), cures(kept, Reads.of(seen, kept))));
    }

    /** Returns whether the program has the collection forget tasks that are done. */
    boolean isHandedOver(Kept kept) {
        String box = kept.file().text(kept.target());
        return kept.isTask()
                && seen.all(Expr.Call.class)
                        .filter(call -> call.method().equals(DONE))
                        .anyMatch(call -> call.args().stream()
                                .anyMatch(given -> seen.file(call).text(given).contains(box + ".")));
    }

    /** The edits by which a kept task goes: when its result was taken by its key, else when it has ended. */
    List<Cure> cures(Kept kept, List<Read> reads) {
        List<Edit> taken = reads.stream()
                .filter(read -> read.isItem()
                        && (read.file().parent(read.at()) instanceof Expr.Await
                                || (read.file().parent(read.at()) instanceof Expr.Attribute it
                                        && it.attr().equals("result"))))
                .map(Read::popped)
                .toList();
        return taken.isEmpty()
                ? forgotten(kept, reads.isEmpty() && seen.isWhole()).stream().toList()
                : List.of(Cure.review(Cure.Kind.TAKE, taken, "Nobody may ask for the task after this."));
    }

    private Optional<Cure> forgotten(Kept kept, boolean isUnread) {
        SourceFile file = kept.file();
        Expr value = kept.value();
        String box = file.text(kept.target());
        Expr key = kept.add().key();
        List<Edit> edits = new ArrayList<>();
        String task = file.text(value);
        String forget = box
                + (kept.at() instanceof Expr.Call it && file.text(it.func()).endsWith(".add") ? ".discard" : ".remove");
        boolean isNamed = value instanceof Expr.Name || value instanceof Expr.Attribute;
        if (kept.how() == How.ITEM && key != null) {
            task = isNamed ? task : box + "[" + file.text(key) + "]";
            forget = "lambda _, key=" + file.text(key) + ": " + box + ".pop(key, None)";
        } else if (!isNamed) {
            Optional<Edit> before = Edit.before(file, kept.statement(), List.of("task = " + task));
            if (before.isEmpty()) {
                return Optional.empty();
            }
            edits.add(before.get());
            edits.add(Edit.replace(file, value, "task"));
            task = "task";
        }
        return Edit.after(file, kept.statement(), List.of(task + "." + DONE + "(" + forget + ")"))
                .map(edit -> {
                    edits.add(edit);
                    return isUnread
                            ? Cure.safe(Cure.Kind.FORGET, edits, "Nothing reads the tasks that are kept.")
                            : Cure.review(
                                    Cure.Kind.FORGET, edits, "Nobody may ask for the task's result when it is done.");
                });
    }
}
