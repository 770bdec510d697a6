package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Reads.Read;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The edits that take out what nobody asks for any more: at the end of an epoch, of what a key stands for, of the object that comes next. */
final class Removals {
    /** Methods after which a key is not used any more. */
    private static final Pattern ENDING = Pattern.compile(
            "_?(close|finish|end|release|remove|delete|disconnect|stop|logout|leave|expire|forget|drop|done|discard|free)(_.*)?");

    /** Lightning's hooks. */
    private static final Pattern EPOCH = Pattern.compile("on_(train|validation|test|predict)_epoch_end");

    private final GrowingCollection collection;
    private final SeenProgram seen;
    private final Kept kept;
    private final SourceFile file;

    Removals(GrowingCollection collection) {
        this.collection = collection;
        this.seen = collection.seen();
        this.kept = collection.kept();
        this.file = collection.file();
    }

    /** A collection that one of Lightning's hooks reads at the end of each epoch and does not clear, cleared behind the last read. */
    Optional<Cure> cleared() {
        List<Read> last =
                collection.reads().stream().filter(read -> isIn(EPOCH, read)).toList();
        boolean isCleared =
                last.stream().anyMatch(read -> read.kind() == Reads.Kind.REMOVAL && !seen.isConditional(read.at()));
        List<Edit> edits = new ArrayList<>();
        return isCleared
                ? Optional.empty()
                : last.stream()
                        .filter(read -> read.kind() != Reads.Kind.REMOVAL)
                        .max(Comparator.comparingInt(read -> read.at().start()))
                        .filter(read -> Exits.follow(
                                read.file(), read.file().statement(read.at()), collection.box() + ".clear()", edits))
                        .map(_ -> Cure.review(Cure.Kind.CLEAR, edits, "Each epoch begins with none."));
    }

    /** A method that ends what a key stands for, and reads its entry without taking it out. */
    Optional<Cure> ended() {
        boolean isRemoved = collection.reads().stream()
                .anyMatch(read ->
                        read.kind() == Reads.Kind.REMOVAL && kept.region().contains(read.file(), read.at()));
        if (collection.kind() != Heap.Kind.DICT || isRemoved) {
            return Optional.empty();
        }
        return collection.reads().stream()
                .filter(read -> read.isItem() && isIn(ENDING, read))
                .filter(read -> read.at() instanceof Expr.Subscript it
                        && it.slice() instanceof Expr.Name key
                        && read.file().definition(it).orElseThrow().args().has(key.id()))
                .findFirst()
                .map(read -> Cure.review(
                        Cure.Kind.TAKE, List.of(read.popped()), "Nothing may ask for the entry after this."));
    }

    /** Returns whether a read stands in a function of such a name. */
    private static boolean isIn(Pattern name, Read read) {
        return read.file()
                .definition(read.at())
                .filter(function -> name.matcher(function.name()).matches())
                .isPresent();
    }

    /** Objects of which each keeps the one before it, without those before that. */
    Optional<Cure> unchained() {
        Optional<Expr> past = past();
        if (past.isPresent()) {
            Cure ended = Cure.safe(
                    Cure.Kind.UNCHAIN,
                    List.of(Edit.replace(file, past.get(), "None")),
                    "Nothing of the source reads what came before.");
            return Optional.of(seen.isWhole() ? ended : ended.unproven());
        }
        if (!(kept.target() instanceof Expr.Attribute next) || !(kept.value() instanceof Expr.Name before)) {
            return Optional.empty();
        }
        boolean isReadBack = seen.all(Expr.Attribute.class)
                .filter(it -> it.attr().equals(next.attr()))
                .anyMatch(it ->
                        (it.value() instanceof Expr.Attribute of && of.attr().equals(next.attr()))
                                || (seen.file(it).parent(it) instanceof Stmt.Assign assign
                                        && assign.value() == it
                                        && seen.file(it)
                                                .text(assign.targets().getFirst())
                                                .equals(seen.file(it).text(it.value()))));
        String cut = before.id() + "." + next.attr() + " = None";
        List<String> lines = seen.facts().value(before).mayBeNone()
                ? List.of("if " + before.id() + " is not None:", "    " + cut)
                : List.of(cut);
        return isReadBack
                ? Optional.empty()
                : collection
                        .behind(lines)
                        .map(edits -> Cure.review(
                                Cure.Kind.UNCHAIN, edits, "What reads further back than the one before finds None."));
    }

    /** The place of a display that is given the display of the step before, where nothing reads any of them. */
    private Optional<Expr> past() {
        boolean isUnread = collection.reads().stream().allMatch(read -> file.isIn(read.at(), kept.statement()));
        return isUnread && kept.value() instanceof Expr.Tuple it
                ? it.elts().stream()
                        .filter(each -> file.text(each).equals(collection.box()))
                        .findFirst()
                : Optional.empty();
    }
}
