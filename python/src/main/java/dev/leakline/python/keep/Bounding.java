package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The edits that keep a collection, or a tensor that is joined, within a number of entries. */
final class Bounding {
    private final GrowingCollection collection;
    private final Kept kept;
    private final SourceFile file;

    Bounding(GrowingCollection collection) {
        this.collection = collection;
        this.kept = collection.kept();
        this.file = collection.file();
    }

    /** The edits that leave the newest of so many, or the largest; empty where there are none for such a collection. */
    Optional<List<Edit>> edits(String count, boolean isLargest) {
        String box = collection.box();
        boolean isMadeAnew = kept.at() instanceof Expr
                && kept.statement() instanceof Stmt.Assign it
                && it.targets().stream().anyMatch(target -> file.text(target).equals(box));
        if (isMadeAnew) {
            return Optional.empty();
        }
        if (kept.how() == How.CARRIED) {
            return Kept.joining(kept.add())
                    .flatMap(joining -> end(joining, count).map(end -> List.of(Edit.call(file, joining, end))));
        }
        if (kept.how() == How.SUM && !(kept.at() instanceof Stmt.AugAssign && collection.kind() == Heap.Kind.LIST)) {
            return summed().filter(_ ->
                            !isLargest && (collection.kind() == Heap.Kind.LIST || collection.kind() == Heap.Kind.TUPLE))
                    .map(sum -> List.of(Edit.replace(file, sum, "(" + file.text(sum) + ")[-" + count + ":]")));
        }
        if (collection.kind() == Heap.Kind.LIST && isLargest) {
            return popped(count);
        }
        return switch (collection.kind()) {
            case LIST -> collection.behind(List.of("del " + box + "[:-" + count + "]"));
            case DEQUE -> collection.behind(whileMore(count, box + ".popleft()"));
            case DICT ->
                collection.behind(whileMore(
                        count, box + ".pop(" + (isLargest ? "min(" + box + ")" : "next(iter(" + box + "))") + ")"));
            default -> Optional.empty();
        };
    }

    /** The lines that take something out as long as there are more than so many. */
    private List<String> whileMore(String count, String taken) {
        return List.of("while len(" + collection.box() + ") > " + count + ":", "    " + taken);
    }

    /** A heap without its smallest entries. */
    private Optional<List<Edit>> popped(String count) {
        String push = kept.at() instanceof Expr.Call it ? file.text(it.func()) : "";
        if (!push.endsWith("heappush")) {
            return Optional.empty();
        }
        String pop = push.contains(".") ? push.replace("heappush", "heappop") : "heapq.heappop";
        return collection
                .behind(whileMore(count, pop + "(" + collection.box() + ")"))
                .map(edits -> Stream.concat(
                                push.contains(".") ? Stream.empty() : Edit.importing(file, "heapq"), edits.stream())
                        .toList());
    }

    /** The sum that a statement or a call gives a variable. */
    private Optional<Expr> summed() {
        return switch (kept.at()) {
            case Stmt.Assign it -> Optional.of(it.value());
            case Expr.Call it -> Optional.of(it.args().getFirst());
            case Expr it -> Optional.of(it);
            default -> Optional.empty();
        };
    }

    /** The end of a tensor along the dimension in which a call joins it; empty where that is no number. */
    private Optional<String> end(Expr.Call joining, String count) {
        String dimension = joining.given().skip(1).map(file::text).findFirst().orElse("0");
        return dimension.matches("\\d")
                ? Optional.of("[" + ":, ".repeat(Integer.parseInt(dimension)) + "-" + count + ":]")
                : dimension.equals("-1") ? Optional.of("[..., -" + count + ":]") : Optional.empty();
    }
}
