package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.NameSets;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Reads.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tensors of which a program reads one number each, such as {@code x.mean().item()}, which is kept instead of them. */
@SuppressWarnings("ReferenceEquality") // nodes have the equality of records: two files may have equal ones
final class NumbersRead {
    private static final Set<Reads.Kind> COUNTS = Set.of(Reads.Kind.COUNT, Reads.Kind.COMPARED);

    private final KeptSearch search;
    private final Kept kept;
    private final List<Read> reads;
    private final List<Edit> edits = new ArrayList<>();
    private final List<String> numbers = new ArrayList<>();

    NumbersRead(KeptSearch search, Kept kept, List<Read> reads) {
        this.search = search;
        this.kept = kept;
        this.reads = reads;
    }

    /** The number of each tensor, taken when it is added; empty where anything else is read, or not the same of all. */
    Optional<Cure> cure() {
        SourceFile file = kept.file();
        Expr value = kept.add().value();
        Set<Heap> heaps = search.heaps(kept);
        boolean isRead = search.isWhole()
                && kept.add().how() == How.CALL
                && kept.add().kind() != null
                && kept.facts().value(value).isTensor()
                && search.facts().adds().stream()
                                .filter(add -> add.to().heap().stream().anyMatch(heaps::contains))
                                .count()
                        == 1
                && reads.stream().allMatch(read -> COUNTS.contains(read.kind()) || isNumber(read.file(), read.at()));
        if (!isRead || numbers.stream().distinct().count() != 1) {
            return Optional.empty();
        }
        edits.add(Edit.call(file, value, numbers.getFirst()));
        return Optional.of(Cure.safe(
                Cure.Kind.NUMBERS, edits, "Each entry is read as this number and no more; each step waits for it."));
    }

    /** Returns whether a loop goes through the collection and reads nothing of an item but a number. */
    private boolean isNumber(SourceFile file, Node read) {
        Node loop = file.parent(read);
        Expr target = switch (loop) {
            case Node.Comprehension it when it.ifs().isEmpty() -> it.target();
            case Stmt.For it -> it.target();
            case null, default -> null;
        };
        Node around = loop == null
                ? null
                : loop instanceof Stmt.For ? file.function(read).orElse(loop) : file.parent(loop);
        return target instanceof Expr.Name item
                && around != null
                && file.nodes().stream()
                        .filter(node -> node instanceof Expr.Name name
                                && name != target
                                && name.id().equals(item.id())
                                && file.isIn(name, around))
                        .allMatch(name -> isNumber(file, name, name));
    }

    private boolean isNumber(SourceFile file, Node item, Node part) {
        if (!(file.parent(part) instanceof Expr.Attribute method)
                || !(file.parent(method) instanceof Expr.Call call)
                || call.func() != method
                || !call.args().isEmpty()
                || !call.keywords().isEmpty()
                || !NameSets.has("TAKEN_NUMBERS", method.attr())) {
            return false;
        }
        if (!method.attr().equals("item")) {
            return isNumber(file, item, call);
        }
        numbers.add(file.text().text().substring(item.end(), call.end()));
        edits.add(new Edit(file, item.end(), call.end(), ""));
        return true;
    }
}
