package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Reads.Read;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Collections of which a program reads the newest entries, or those with the largest keys. */
final class NewestRead {
    private final GrowingCollection collection;
    private final SeenProgram seen;
    private final Kept kept;
    private final SourceFile file;

    NewestRead(GrowingCollection collection) {
        this.collection = collection;
        this.seen = collection.seen();
        this.kept = collection.kept();
        this.file = collection.file();
    }

    /** The cure that keeps as many as are read; empty where anything else is read. */
    Optional<Cure> cure() {
        return isUnread()
                ? new Bounding(collection)
                        .edits("1", false)
                        .map(edits -> Cure.review(
                                Cure.Kind.BOUND, edits, "Nothing of the source reads it: see that nothing else does."))
                : ofNewest();
    }

    /** Returns whether the program reads no entry of a collection that it makes, and asks for none. */
    private boolean isUnread() {
        return seen.isWhole()
                && !seen.heaps(kept).isEmpty()
                && !collection.isCache()
                && !(kept.add().key() != null && kept.at() instanceof Expr)
                && collection.reads().stream().allMatch(Read::isClearing);
    }

    private Optional<Cure> ofNewest() {
        List<Read> last = collection.reads().stream()
                .filter(read -> read.kind() == Reads.Kind.NEWEST || read.kind() == Reads.Kind.LARGEST)
                .toList();
        Set<Reads.Kind> allowed = Set.of(
                Reads.Kind.NEWEST,
                Reads.Kind.LARGEST,
                Reads.Kind.COMPARED,
                Reads.Kind.REMOVAL,
                Reads.Kind.COUNT,
                Reads.Kind.ITEM);
        boolean isLargest = last.stream().anyMatch(read -> read.kind() == Reads.Kind.LARGEST);
        boolean isByKey = collection.reads().stream()
                .filter(read -> read.kind() == Reads.Kind.ITEM)
                .anyMatch(read -> last.stream().noneMatch(from -> isKeyOf(read, from)));
        if (last.isEmpty() || !collection.hasOnly(allowed) || (collection.has(Reads.Kind.ITEM) && !isLargest)) {
            return Optional.empty();
        }
        return count(last)
                .flatMap(count -> new Bounding(collection)
                        .edits(count, isLargest)
                        .map(edits -> collection.has(Reads.Kind.COUNT) || isByKey
                                ? Cure.review(
                                        Cure.Kind.BOUND,
                                        edits,
                                        "Only the newest " + count
                                                + " are read, but the number of all is read, or an entry by its key.")
                                : Cure.safe(
                                        Cure.Kind.BOUND,
                                        edits,
                                        "All that reads it reads the " + (isLargest ? "largest " : "newest ") + count
                                                + ".")));
    }

    /** Returns whether an item is read by a key that a loop takes from another read, and nothing else gives a value. */
    private static boolean isKeyOf(Read item, Read from) {
        SourceFile file = item.file();
        if (file != from.file()
                || !(item.at() instanceof Expr.Subscript it)
                || !(it.slice() instanceof Expr.Name key)) {
            return false;
        }
        List<Node> bound = file.nodes().stream()
                .filter(node -> file.isBeside(node, it))
                .filter(node -> switch (node) {
                    case Node.Arg arg -> arg.arg().equals(key.id());
                    case Node.Comprehension loop -> loop.target().isName(key.id());
                    case Stmt.For loop -> loop.target().isName(key.id());
                    case Stmt.Assign assign -> assign.targets().stream().anyMatch(target -> target.isName(key.id()));
                    default -> false;
                })
                .toList();
        return !bound.isEmpty()
                && bound.stream().allMatch(node -> switch (node) {
                    case Node.Comprehension loop -> isFrom(file, loop.iter(), from.at());
                    case Stmt.For loop -> isFrom(file, loop.iter(), from.at());
                    default -> false;
                });
    }

    private static boolean isFrom(SourceFile file, Expr keys, Node read) {
        return keys == read || isGiven(file, keys, read);
    }

    /** Returns whether a variable of a function has the value of an expression and no other. */
    private static boolean isGiven(SourceFile file, Expr variable, Node value) {
        return variable instanceof Expr.Name name
                && file.all(Stmt.Assign.class)
                        .filter(it -> it.targets().stream().anyMatch(target -> target.isName(name.id()))
                                && file.isBeside(it, value))
                        .allMatch(it -> it.value() == value)
                && file.parent(value) instanceof Stmt.Assign it
                && it.targets().getFirst().isName(name.id());
    }

    /** How many are read at most, as it is written where the entries are added. */
    private Optional<String> count(List<Read> last) {
        int most = 0;
        String named = "";
        for (Read read : last) {
            Expr count = Objects.requireNonNull(read.count());
            String text = read.file().text(count);
            if (count instanceof Expr.Constant && text.matches("\\d{1,7}")) {
                most = Math.max(most, Integer.parseInt(text));
            } else if (isSeen(read, count) && (named.isEmpty() || named.equals(text))) {
                named = text;
            } else {
                OptionalInt given = given(read, count);
                if (given.isEmpty()) {
                    return Optional.empty();
                }
                most = Math.max(most, given.getAsInt());
            }
        }
        return named.isEmpty() ? Optional.of(String.valueOf(most)) : most <= 1 ? Optional.of(named) : Optional.empty();
    }

    /** The largest number that the calls of a function give a parameter; empty where one gives anything else. */
    private OptionalInt given(Read read, Expr count) {
        Stmt.FunctionDef function = read.file().definition(count).orElse(null);
        int place = function == null
                ? -1
                : function.args().places().stream()
                        .map(Node.Arg::arg)
                        .filter(name -> !name.equals("self"))
                        .toList()
                        .indexOf(read.file().text(count));
        List<String> numbers = seen.all(Expr.Call.class)
                .filter(call -> place >= 0 && seen.facts().callees(call).contains(function))
                .map(call -> place < call.args().size()
                        ? seen.file(call).text(call.args().get(place))
                        : "")
                .toList();
        return seen.isWhole() && numbers.stream().allMatch(number -> number.matches("\\d{1,7}"))
                ? numbers.stream().mapToInt(Integer::parseInt).max()
                : OptionalInt.empty();
    }

    /** Returns whether an expression means the same where the entries are added. */
    private boolean isSeen(Read read, Expr count) {
        if (read.file() != file) {
            return false;
        }
        if (count instanceof Expr.Attribute it && it.value() instanceof Expr.Name self) {
            return file.type(read.at()).isPresent()
                    && file.type(read.at()).equals(file.type(kept.at()))
                    && isFirst(self.id(), read.at())
                    && isFirst(self.id(), kept.at());
        }
        return count instanceof Expr.Name it && isGlobal(it.id());
    }

    /** Returns whether a name is the first parameter of the method around a node. */
    private boolean isFirst(String name, Node node) {
        return file.definition(node)
                .filter(function -> function.args().first().equals(name))
                .isPresent();
    }

    private boolean isGlobal(String name) {
        return file.all(Stmt.Assign.class)
                .filter(it -> file.parent(it) == null)
                .anyMatch(it -> it.targets().stream().anyMatch(target -> target.isName(name)));
    }
}
