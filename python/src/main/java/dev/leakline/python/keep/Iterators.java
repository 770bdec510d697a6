package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.NameSets;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.List;
import java.util.Optional;

/** Finds calls that keep what they go through. */
public final class Iterators {
    private final KeptSearch search;
    private final SeenProgram seen;

    /** Looks in the program of a search. */
    public Iterators(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** A call that keeps what it goes through, to give it again. */
    public Optional<Keeper> repeating() {
        return seen.all(Expr.Call.class)
                .filter(call -> NameSets.has("REPEATING", seen.file(call).fullName(call.func()))
                        && !call.args().isEmpty()
                        && search.calls().isMade(call.args().getFirst()))
                .findFirst()
                .map(call -> seen.keeper(Kind.CONTAINER, call, again(call), false));
    }

    /** The items in the place of kept ones, made by going through their source again; not where that is a generator that has ended. */
    private Optional<Cure> again(Expr.Call call) {
        SourceFile file = seen.file(call);
        Expr source = call.args().getFirst();
        boolean isEnded =
                source instanceof Expr.Name && seen.facts().value(source).isOnly(Heap.Kind.GENERATOR);
        String cycle = file.text(call.func());
        return isEnded || !file.fullName(call.func()).equals("itertools.cycle")
                ? Optional.empty()
                : Optional.of(Cure.review(
                        Cure.Kind.ANEW,
                        List.of(Edit.replace(
                                file, call, "(item for _ in iter(int, 1) for item in " + file.text(source) + ")")),
                        cycle + " keeps each item to give it again; this goes through " + file.text(source)
                                + " again, which may give others."));
    }
}
