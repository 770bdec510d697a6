package dev.leakline.host;

import dev.leakline.known.held.HeldCollection;
import dev.leakline.known.held.HeldOwner;
import dev.leakline.known.source.SourceFiles;
import dev.leakline.objects.HostPile;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.Program;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.KeptSearch;
import dev.leakline.result.Frame;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The line that adds to a collection, in the source, and whether the source bounds it. */
final class PileSite {
    private static final Set<Expr.CmpOp> LESS = Set.of(Expr.CmpOp.LT, Expr.CmpOp.LT_E);

    private final HostPile pile;
    private final SourceFiles files;
    private final Optional<Add> added;

    PileSite(HostPile pile, SourceFiles files) {
        this.pile = pile;
        this.files = files;
        List<Add> all = all();
        this.added = all.stream()
                .filter(this::isOfPart)
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    private List<Add> all() {
        Frame program = new Frame(pile.file(), 1, "");
        return held(pile)
                .map(held -> {
                    Program read = new Program(
                            (_, module) -> files.module(program, module).orElse(null));
                    Stream.of(
                                    files.of(program),
                                    files.module(program, held.owner().module()))
                            .flatMap(Optional::stream)
                            .forEach(read::add);
                    KeptSearch search = new KeptSearch(read, List.of());
                    return search.added(held.name(), add -> held.owner().has(search, add));
                })
                .orElse(List.of());
    }

    /** Returns whether a line adds to the very collection, where there are several of one name: that of a key. */
    private boolean isOfPart(Add add) {
        return pile.rest().startsWith("[")
                && add.file().text(add.target()).replace('"', '\'').endsWith(pile.rest());
    }

    /** The line; empty where none was found. */
    Optional<Frame> line() {
        return pile.owner().equals("memo")
                ? ofMemo()
                : added.map(add -> new Frame(add.file().name(), add.file().line(add.at()), ""));
    }

    /** The function whose results are kept, by its definition: the first line of a function is that of its first decorator. */
    private Optional<Frame> ofMemo() {
        if (!pile.name().matches("\\d{1,7}")) {
            return Optional.empty();
        }
        int first = Integer.parseInt(pile.name());
        int line = files.of(new Frame(pile.module(), 1, ""))
                .map(file -> definition(file, first))
                .orElse(first);
        return Optional.of(new Frame(pile.module(), line, pile.attribute()));
    }

    private static int definition(SourceFile file, int first) {
        return file.nodes().stream()
                .filter(node -> node instanceof Stmt.FunctionDef it
                        && Stream.concat(Stream.of(it), it.decoratorList().stream())
                                .anyMatch(each -> file.line(each) == first))
                .findFirst()
                .map(file::line)
                .orElse(first);
    }

    /** Returns whether the line stands under a condition on the length of what it adds to, as in {@code if len(self.slots) < self.limit}. */
    boolean isGuarded() {
        return added.filter(add -> add.file()
                        .around(add.at(), node -> node instanceof Stmt.If it && isOfLength(add, it.test()))
                        .isPresent())
                .isPresent();
    }

    private static boolean isOfLength(Add add, Node condition) {
        boolean[] found = {
            condition instanceof Expr.Compare it
                    && it.left() instanceof Expr.Call call
                    && add.file().text(call.func()).equals("len")
                    && call.args().size() == 1
                    && add.file().text(call.args().getFirst()).equals(add.file().text(add.target()))
                    && LESS.contains(it.ops().getFirst())
        };
        condition.forEachChild(child -> found[0] |= isOfLength(add, child));
        return found[0];
    }

    /** The collection as the source knows it; empty of memos. */
    private static Optional<HeldCollection> held(HostPile pile) {
        Optional<HeldOwner.Kind> kind = switch (pile.owner()) {
            case "class" -> Optional.of(HeldOwner.Kind.CLASS);
            case "module" -> Optional.of(HeldOwner.Kind.MODULE);
            case "call" -> Optional.of(HeldOwner.Kind.CALL);
            default -> Optional.empty();
        };
        return kind.map(of -> new HeldCollection(
                pile.attribute(),
                new HeldOwner(
                        of,
                        of == HeldOwner.Kind.CALL
                                ? pile.module().substring(pile.module().lastIndexOf('/') + 1)
                                : pile.module(),
                        pile.name().substring(pile.name().lastIndexOf('.') + 1)),
                List.of()));
    }
}
