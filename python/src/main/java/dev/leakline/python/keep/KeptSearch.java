package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.FlowValue;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.Program;
import dev.leakline.python.flow.SourceFile;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Searches a program for the statement that keeps what a line makes. The values of the line are labelled; what is added to something that was
 * there before the step began, and has the label, is kept.
 */
public final class KeptSearch {
    /** Calls that are tried as the one that makes what is kept; what is further away nobody would connect with it. */
    public static final int CALLS = 4;

    private final SeenProgram seen;
    private final RecordedCalls calls;
    private final RepeatedCode code;
    private final Lasting lasting;

    private long entries;
    private long most;

    /** A line of a file that was being run. */
    public record Call(SourceFile file, int line) {
        /** The function that the line is in; empty outside of all. */
        Optional<Node> function() {
            return file.statementAt(line).flatMap(file::function);
        }

        private boolean isOfScript() {
            return file.statementAt(line)
                    .filter(statement -> file.function(statement).isEmpty())
                    .isPresent();
        }
    }

    /** A search for what the innermost of some calls makes. */
    public KeptSearch(Program program, List<Call> calls) {
        this.seen = new SeenProgram(program, calls.stream().anyMatch(Call::isOfScript));
        this.calls = new RecordedCalls(seen, calls);
        this.code = new RepeatedCode(seen, calls);
        this.lasting = new Lasting(seen);
    }

    /**
     * Sets what was measured of the collection.
     *
     * @param entries how many a dump found in it, 0 where none was looked at
     * @param most how many things it kept at most, 0 where that is not known
     */
    public void setEntries(long entries, long most) {
        this.entries = entries;
        this.most = Math.max(entries, most);
    }

    /** Returns whether a limit lets less stay than there was. */
    boolean isReached(int limit) {
        return most == 0 || limit < most;
    }

    /** Says how many entries a dump found; empty where none was looked at. */
    String held() {
        return entries == 0 ? "" : " " + entries + " entries were there when it was looked at.";
    }

    SeenProgram seen() {
        return seen;
    }

    RecordedCalls calls() {
        return calls;
    }

    RepeatedCode code() {
        return code;
    }

    /** The statement; of a variable that is carried on only where {@code isGraph}, since such a one keeps nothing but a graph. */
    public Optional<Kept> find(boolean isGraph) {
        for (int i = 0; i < calls.tried() && !calls.isLetGo(i); i++) {
            FlowFacts facts = calls.made(i);
            Optional<Kept> collected = Stream.concat(code.regions().stream(), Stream.of(code.uncalled()))
                    .flatMap(region -> best(facts, region, Lasting::isCollected).stream())
                    .findFirst();
            Optional<Kept> found = collected
                    .filter(Kept::isMade)
                    .or(() -> first(facts, lasting::isChained).filter(chain -> chain.isMade() || collected.isEmpty()))
                    .or(() -> collected)
                    .or(() -> isGraph ? first(facts, lasting::isCarried) : Optional.empty());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The statement that puts what the line makes behind a tensor that the step before left. */
    public Optional<Kept> joined() {
        return IntStream.range(0, calls.tried())
                .mapToObj(i -> first(
                        calls.made(i),
                        (add, region) -> lasting.isCarried(add, region)
                                && Kept.joining(add).isPresent()))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<Kept> first(FlowFacts facts, BiPredicate<Add, Region> wanted) {
        return code.regions().stream()
                .flatMap(region -> best(facts, region, add -> wanted.test(add, region)).stream())
                .findFirst();
    }

    /** The other variables of the same block that are carried on. */
    List<Kept> carriedBeside(Kept kept) {
        return seen.facts().adds().stream()
                .filter(add -> add.at() != kept.at() && lasting.isCarried(add, kept.region()))
                .filter(add -> add.file().parent(add.at()) == kept.file().parent(kept.at()))
                .map(add -> new Kept(add, false, kept.region(), kept.facts()))
                .toList();
    }

    /** The statement that adds to what has a name, as a holder dump tells; among several, the one that keeps what the calls make. */
    public Optional<Kept> named(String name, Predicate<Add> isOwn) {
        for (int i = 0; i < calls.tried(); i++) {
            FlowFacts facts = calls.made(i);
            for (Region region : code.regions()) {
                Optional<Kept> found =
                        best(facts, region, add -> isNamed(add, name) && Lasting.isCollected(add) && isOwn.test(add));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        List<Add> all = added(name, isOwn);
        return all.size() == 1
                ? Optional.of(new Kept(all.getFirst(), false, code.regions().getFirst(), seen.facts()))
                : Optional.empty();
    }

    /**
     * The statement that adds to what a variable of a statement's function has, under whatever name it is given there.
     *
     * @param names the variable, and the attributes that lead from it to the collection
     */
    public Optional<Kept> shared(List<String> names, SourceFile file, int line) {
        Node function = file.statementAt(line)
                .map(statement -> statement instanceof Stmt.FunctionDef
                        ? statement
                        : file.function(statement).orElse(null))
                .orElse(null);
        Set<Heap> heaps = file.all(Expr.Name.class)
                .filter(node -> node.id().equals(names.getFirst()))
                .filter(node -> function == null || file.isIn(node, function))
                .flatMap(node -> seen.facts().value(node).heap().stream())
                .collect(Collectors.toSet());
        for (String name : names.subList(1, names.size())) {
            Set<Heap> next = heaps.stream()
                    .map(heap ->
                            heap.kind() == Heap.Kind.DICT ? FlowValue.of(heap).items() : heap.field(name))
                    .flatMap(value -> value.heap().stream())
                    .collect(Collectors.toSet());
            heaps = next.isEmpty() ? heaps : next; // objects of libraries keep things inside
        }
        Set<Heap> reached = heaps;
        return seen.facts().adds().stream()
                .filter(add ->
                        Lasting.isCollected(add) && add.to().heap().stream().anyMatch(reached::contains))
                .findFirst()
                .flatMap(add -> kept(add, seen.facts()));
    }

    /** All that is added to what has a name. */
    public List<Add> added(String name, Predicate<Add> isOwn) {
        return seen.facts().adds().stream()
                .filter(add -> isNamed(add, name) && Lasting.isCollected(add) && isOwn.test(add))
                .toList();
    }

    /** The statement that adds something within an expression or statement, with all that is made of it labelled. */
    Optional<Kept> within(SourceFile file, int start, int end) {
        return seen.facts().adds().stream()
                .filter(add -> add.file() == file
                        && add.at().start() >= start
                        && add.at().end() <= end)
                .max(Comparator.comparingInt(add -> add.at().end() - add.at().start()))
                .flatMap(add -> {
                    FlowFacts facts = seen.labelled(List.of(add.value()));
                    return facts.adds().stream()
                            .filter(each -> each.at() == add.at())
                            .map(each -> new Kept(each, true, code.regions().getFirst(), facts))
                            .findFirst();
                });
    }

    /** Returns whether no graph comes with what is kept: it is detached, or no gradients are wanted where it is made or kept. */
    public boolean isFreed(Kept kept) {
        return kept.file().text(kept.value()).contains(".detach()")
                || RecordedCalls.isWithoutGradients(kept.file(), kept.statement())
                || calls.isWithoutGradients();
    }

    /** Returns whether something is added to an attribute of a class, or of an object of it; true where nobody sees whose attribute it is. */
    public boolean isOf(Add add, String type) {
        Expr target = add.target();
        while (target instanceof Expr.Subscript || target instanceof Expr.Call) {
            target = target instanceof Expr.Subscript it
                    ? it.value()
                    : ((Expr.Call) target).func() instanceof Expr.Attribute method
                            ? method.value()
                            : new Expr.Name(0, 0, "");
        }
        Set<Heap> owners = target instanceof Expr.Attribute it
                ? seen.facts().value(it.value()).heap()
                : Set.of();
        return owners.isEmpty()
                || owners.stream()
                        .anyMatch(heap -> heap.node() instanceof Stmt.ClassDef it
                                && it.name().equals(type));
    }

    private static boolean isNamed(Add add, String name) {
        Expr base = add.target();
        while (true) {
            switch (base) {
                case Expr.Subscript it -> base = it.value();
                case Expr.Call it when it.func() instanceof Expr.Attribute method -> base = method.value();
                case Expr.Attribute it -> {
                    return it.attr().equals(name);
                }
                case Expr.Name it -> {
                    return it.id().equals(name);
                }
                default -> {
                    return false;
                }
            }
        }
    }

    private Optional<Kept> best(FlowFacts facts, Region region, Predicate<Add> wanted) {
        return facts.adds().stream()
                .filter(wanted)
                .filter(add -> add.added().reached() > 0)
                .filter(add -> region.contains(add.file(), add.at()))
                .filter(add -> lasting.outlives(add, region))
                .filter(add -> !new Tasks(this).isHandedOver(new Kept(add, true, region, facts)))
                .min(Comparator.comparing(Add::isBounded)
                        .thenComparing(add -> isEmptied(new Kept(add, true, region, facts)))
                        .thenComparingInt(add -> -add.added().reached())
                        .thenComparing(add -> add.added().label() == 0)
                        .thenComparing(add -> isEmpty(add.value())) // what is put into it comes with another
                        .thenComparingInt(calls::distance))
                .map(add -> new Kept(add, add.added().reached() == FlowValue.SAME, region, facts));
    }

    private static boolean isEmpty(Expr made) {
        return (made instanceof Expr.ListDisplay list && list.elts().isEmpty())
                || (made instanceof Expr.Dict dict && dict.values().isEmpty());
    }

    /** The additions of what some expressions come to, to what outlives a step. */
    Stream<Kept> kept(Collection<? extends Node> seeds) {
        FlowFacts facts = seen.labelled(seeds);
        return facts.adds().stream()
                .filter(Lasting::isCollected)
                .filter(add -> add.added().reached() > 0)
                .flatMap(add -> kept(add, facts).stream());
    }

    /** An addition to what outlives a step. */
    Optional<Kept> kept(Add add, FlowFacts facts) {
        return code.regions().stream()
                .filter(region -> lasting.outlives(add, region))
                .findFirst()
                .map(region -> new Kept(add, add.added().reached() == FlowValue.SAME, region, facts));
    }

    /** Returns whether each step takes something out of the collection again, whatever else happens. */
    public boolean isEmptied(Kept kept) {
        return Reads.isEmptied(seen, kept);
    }

    /** Returns whether a node stands in the function of a call. */
    public boolean isCalled(Node node) {
        return calls.isCalled(node);
    }
}
