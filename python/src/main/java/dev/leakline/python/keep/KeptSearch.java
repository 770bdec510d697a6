package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.FlowValue;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.Program;
import dev.leakline.python.flow.ProgramFlow;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Searches a program for the statement that keeps what a line makes. The values of the line are labelled; what is added to something that was
 * there before the step began, and has the label, is kept.
 */
@SuppressWarnings("ReferenceEquality") // nodes have the equality of records: two files may have equal ones
public final class KeptSearch {
    /** Calls that are tried as the one that makes what is kept; what is further away nobody would connect with it. */
    public static final int CALLS = 4;

    /** How deep collections in collections are followed. */
    private static final int DEPTH = 3;

    private final Program program;
    private final List<Call> calls;
    private final FlowFacts plain;
    private final IdentityHashMap<Node, SourceFile> files = new IdentityHashMap<>();
    private final Map<Integer, FlowFacts> labelled = new HashMap<>();
    private @Nullable List<Region> regions;
    private boolean isLooping;
    private long entries;
    private long most;

    /** A line of a file that was being run. */
    public record Call(SourceFile file, int line) {
        /** The function that the line is in; empty outside of all. */
        Optional<Node> function() {
            return file.statementAt(line).flatMap(file::function);
        }
    }

    /** A search for what the innermost of some calls makes. */
    public KeptSearch(Program program, List<Call> calls) {
        this.program = program;
        this.calls = calls;
        this.plain = ProgramFlow.run(program, Set.of());
        program.files().forEach(file -> file.nodes().forEach(node -> files.put(node, file)));
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

    /** The facts of a flow whose labels begin at some expressions. */
    FlowFacts labelled(Collection<? extends Node> seeds) {
        Set<Node> set = Collections.newSetFromMap(new IdentityHashMap<>());
        set.addAll(seeds);
        return ProgramFlow.run(program, set);
    }

    FlowFacts facts() {
        return plain;
    }

    Program program() {
        return program;
    }

    /** The statement; of a variable that is carried on only where {@code isGraph}, since such a one keeps nothing but a graph. */
    public Optional<Kept> find(boolean isGraph) {
        for (int i = 0; i < Math.min(calls.size(), CALLS) && !isLetGo(i); i++) {
            FlowFacts facts = labelled(i);
            Optional<Kept> collected = Stream.concat(regions().stream(), Stream.of(uncalled()))
                    .flatMap(region -> best(facts, region, KeptSearch::isCollected).stream())
                    .findFirst();
            Optional<Kept> found = collected
                    .filter(Kept::isMade)
                    .or(() -> first(facts, this::isChained).filter(chain -> chain.isMade() || collected.isEmpty()))
                    .or(() -> collected)
                    .or(() -> isGraph ? first(facts, this::isCarried) : Optional.empty());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The statement that puts what the line makes behind a tensor that the step before left. */
    public Optional<Kept> joined() {
        return IntStream.range(0, Math.min(calls.size(), CALLS))
                .mapToObj(i -> first(
                        labelled(i),
                        (add, region) ->
                                isCarried(add, region) && Kept.joining(add).isPresent()))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<Kept> first(FlowFacts facts, BiPredicate<Add, Region> wanted) {
        return regions().stream()
                .flatMap(region -> best(facts, region, add -> wanted.test(add, region)).stream())
                .findFirst();
    }

    /** Returns whether a function inside of a call returns something, and that numbers, texts or copies in CPU memory only. */
    private boolean isLetGo(int call) {
        if (call == 0) {
            return false;
        }
        Call inner = calls.get(call - 1);
        Optional<Node> function = inner.function();
        List<Expr> returned = inner.file.nodes().stream()
                .filter(node -> node instanceof Stmt.Return it && it.value() != null)
                .filter(node ->
                        function.isPresent() && inner.file.function(node).equals(function))
                .map(node -> ((Stmt.Return) node).value())
                .filter(value -> !plain.value(value).isNone())
                .toList();
        return !returned.isEmpty()
                && returned.stream()
                        .allMatch(value -> labelled(call - 1).value(value).reached() == 0 && isCopied(value));
    }

    /** Returns whether an expression ends with a call that makes a number or a copy, or comes to nothing else. */
    private boolean isCopied(Expr value) {
        return plain.value(value).isPlain()
                || (value instanceof Expr.Call call
                        && call.func() instanceof Expr.Attribute method
                        && Set.of("cpu", "numpy", "item", "tolist").contains(method.attr()));
    }

    /** The other variables of the same block that are carried on. */
    List<Kept> carriedBeside(Kept kept) {
        return plain.adds().stream()
                .filter(add -> add.at() != kept.add().at() && isCarried(add, kept.region()))
                .filter(add -> add.file().parent(add.at())
                        == kept.file().parent(kept.add().at()))
                .map(add -> new Kept(add, false, kept.region(), kept.facts()))
                .toList();
    }

    /** The statement that adds to what has a name, as a holder dump tells; among several, the one that keeps what the calls make. */
    public Optional<Kept> named(String name, Predicate<Add> isOwn) {
        for (int i = 0; i < Math.min(calls.size(), CALLS); i++) {
            FlowFacts facts = labelled(i);
            for (Region region : regions()) {
                Optional<Kept> found =
                        best(facts, region, add -> isNamed(add, name) && isCollected(add) && isOwn.test(add));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        List<Add> all = added(name, isOwn);
        return all.size() == 1
                ? Optional.of(new Kept(all.getFirst(), false, regions().getFirst(), plain))
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
        Set<Heap> heaps = file.nodes().stream()
                .filter(node -> node instanceof Expr.Name it && it.id().equals(names.getFirst()))
                .filter(node -> function == null || file.isIn(node, function))
                .flatMap(node -> plain.value(node).heap().stream())
                .collect(Collectors.toSet());
        for (String name : names.subList(1, names.size())) {
            Set<Heap> next = heaps.stream()
                    .flatMap(heap -> heap.field(name).heap().stream())
                    .collect(Collectors.toSet());
            heaps = next.isEmpty() ? heaps : next; // objects of libraries keep things inside
        }
        Set<Heap> reached = heaps;
        return plain.adds().stream()
                .filter(add -> isCollected(add) && add.to().heap().stream().anyMatch(reached::contains))
                .findFirst()
                .flatMap(add -> kept(add, plain));
    }

    /** All that is added to what has a name. */
    public List<Add> added(String name, Predicate<Add> isOwn) {
        return plain.adds().stream()
                .filter(add -> isNamed(add, name) && isCollected(add) && isOwn.test(add))
                .toList();
    }

    /** The statement that adds something within an expression or statement, with all that is made of it labelled. */
    Optional<Kept> within(SourceFile file, int start, int end) {
        return plain.adds().stream()
                .filter(add -> add.file() == file
                        && add.at().start() >= start
                        && add.at().end() <= end)
                .max(Comparator.comparingInt(add -> add.at().end() - add.at().start()))
                .flatMap(add -> {
                    FlowFacts facts = labelled(List.of(add.value()));
                    return facts.adds().stream()
                            .filter(each -> each.at() == add.at())
                            .map(each -> new Kept(each, true, regions().getFirst(), facts))
                            .findFirst();
                });
    }

    /** Returns whether no graph comes with what is kept: it is detached, or no gradients are wanted where it is made or kept. */
    public boolean isFreed(Kept kept) {
        return kept.file().text(kept.add().value()).contains(".detach()")
                || isWithoutGradients(kept.file(), kept.statement())
                || calls.stream()
                        .flatMap(call -> call.file.statementAt(call.line).stream()
                                .filter(statement -> isWithoutGradients(call.file, statement)))
                        .findAny()
                        .isPresent();
    }

    private static boolean isWithoutGradients(SourceFile file, Node node) {
        return file.around(node, each -> switch (each) {
                    case Stmt.With it ->
                        it.items().stream().anyMatch(item -> isWithoutGradients(file.text(item.contextExpr())));
                    case Stmt.FunctionDef it ->
                        it.decoratorList().stream().anyMatch(decorator -> isWithoutGradients(file.text(decorator)));
                    default -> false;
                })
                .isPresent();
    }

    private static boolean isWithoutGradients(String text) {
        return text.contains("no_grad") || text.contains("inference_mode");
    }

    private FlowFacts labelled(int call) {
        return labelled.computeIfAbsent(call, i -> labelled(seeds(calls.get(i))));
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
        Set<Heap> owners =
                target instanceof Expr.Attribute it ? plain.value(it.value()).heap() : Set.of();
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
                .filter(add -> outlives(add, region))
                .filter(add -> !new Tasks(this).isHandedOver(new Kept(add, true, region, facts)))
                .min(Comparator.comparing(Add::isBounded)
                        .thenComparing(add -> Cures.isEmptied(this, new Kept(add, true, region, facts)))
                        .thenComparingInt(add -> -add.added().reached())
                        .thenComparing(add -> add.added().label() == 0)
                        .thenComparingInt(this::distance))
                .map(add -> new Kept(add, add.added().reached() == FlowValue.SAME, region, facts));
    }

    /** How many calls lie between the line and a statement; those that no call of the recording runs come last. */
    private int distance(Add add) {
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            Optional<Stmt> at = call.file.statementAt(call.line);
            if (call.file == add.file()
                    && at.isPresent()
                    && call.file.function(at.get()).equals(add.file().function(add.at()))) {
                return i;
            }
        }
        return calls.size();
    }

    /** Returns whether something is added to a collection that grows by it. */
    private static boolean isCollected(Add add) {
        boolean isNumber = add.how() == How.SUM
                && add.to().heap().stream().noneMatch(heap -> heap.kind().isSummed());
        boolean isReplaced = add.how() == How.ITEM
                && (add.to().heap().stream().anyMatch(heap -> heap.kind().isSequence())
                        || add.key() instanceof Expr.Constant);
        boolean isUpdated = add.value() instanceof Expr.Dict it
                && add.key() == null
                && !(add.file().parent(add.at()) instanceof Stmt.Assign)
                && add.to().isOnly(Heap.Kind.DICT)
                && it.keys().stream().allMatch(Expr.Constant.class::isInstance);
        boolean isOther = isUpdated || add.how() == How.CARRIED || add.how() == How.CHAINED;
        return !isOther && !isNumber && !isReplaced && !add.to().isTensor();
    }

    /** Returns whether each object that a step makes keeps the one of the step before, and nothing takes that from it. */
    private boolean isChained(Add add, Region region) {
        return add.how() == How.CHAINED
                && !(add.target() instanceof Expr.Attribute next && isUnchained(next.attr()))
                && all(Stmt.Assign.class)
                        .filter(it -> region.contains(file(it), it))
                        .filter(it -> plain.value(it.value()).heap().stream()
                                .anyMatch(heap -> add.added().heap().stream()
                                        .anyMatch(each -> each.node() == heap.node() && each.kind() == heap.kind())))
                        .anyMatch(it -> it.targets().stream().anyMatch(target -> isLasting(it, target, region)));
    }

    /** Returns whether the program takes the one before from an object. */
    private boolean isUnchained(String attribute) {
        return all(Expr.Attribute.class)
                .filter(it -> it.attr().equals(attribute))
                .anyMatch(it -> file(it).parent(it) instanceof Stmt.Delete
                        || (file(it).parent(it) instanceof Stmt.Assign assign
                                && assign.targets().contains(it)
                                && !file(it).text(it.value()).equals("self")
                                && plain.value(assign.value()).isNone()));
    }

    /** Returns whether a variable or an attribute that a step gives a value has it in the next step. */
    private boolean isLasting(Stmt.Assign at, Expr target, Region region) {
        SourceFile file = file(at);
        return switch (target) {
            case Expr.Attribute it ->
                plain.value(it.value()).heap().isEmpty()
                        || plain.value(it.value()).heap().stream().anyMatch(heap -> outlives(heap, region, DEPTH));
            case Expr.Name it ->
                all(Expr.Name.class)
                        .anyMatch(name -> name.id().equals(it.id())
                                && file(name) == file
                                && file.function(name).equals(file.function(at))
                                && !region.contains(file, name)
                                && file.parent(name) instanceof Stmt.Assign before
                                && before.targets().contains(name));
            default -> false;
        };
    }

    private boolean isCarried(Add add, Region region) {
        boolean isCollection = !add.to().heap().isEmpty()
                && !add.to().heap().stream().allMatch(heap -> heap.kind() == Heap.Kind.TUPLE);
        return !isCollection && (add.how() == How.CARRIED || add.how() == How.SUM) && !isMadeAnew(add, region);
    }

    /** Returns whether a variable is given something else each time before it is computed from itself. */
    private boolean isMadeAnew(Add add, Region region) {
        String place = add.file().text(add.target());
        Node loop = Region.loop(add.file(), add.at()).orElse(null);
        boolean isLocal = add.target() instanceof Expr.Name && !isOuter(add);
        if (isLocal && loop == null) {
            return !(add.at() instanceof Stmt.AugAssign) || !isGiven(add);
        }
        return add.file().nodes().stream()
                .filter(node -> node instanceof Stmt.Assign && node != add.at())
                .filter(node ->
                        isLocal ? (loop != null && add.file().isIn(node, loop)) : region.contains(add.file(), node))
                .filter(node -> !isGuarded(add.file(), node, place))
                .map(Stmt.Assign.class::cast)
                .anyMatch(other -> other.targets().stream()
                                .anyMatch(target -> add.file().text(target).equals(place))
                        && !contains(add.file(), other.value(), place));
    }

    /** Returns whether something is added to a parameter. */
    private static boolean isGiven(Add add) {
        String name = add.file().text(add.target());
        return add.file()
                .function(add.at())
                .filter(function -> function instanceof Stmt.FunctionDef it
                        && it.args().args().stream().anyMatch(arg -> arg.arg().equals(name)))
                .isPresent();
    }

    private static boolean isGuarded(SourceFile file, Node node, String place) {
        return file.around(node, each -> each instanceof Stmt.If it && contains(file, it.test(), place))
                .isPresent();
    }

    static boolean contains(SourceFile file, Node node, String place) {
        boolean[] found = {file.text(node).equals(place)};
        node.forEachChild(child -> found[0] |= contains(file, child, place));
        return found[0];
    }

    private static List<String> outer(Node node) {
        return switch (node) {
            case Stmt.Global it -> it.names();
            case Stmt.Nonlocal it -> it.names();
            default -> List.of();
        };
    }

    /** Returns whether a name is a variable of something around the function. */
    private static boolean isOuter(Add add) {
        String name = add.file().text(add.target());
        return add.file()
                .function(add.at())
                .filter(function -> add.file().nodes().stream()
                        .anyMatch(
                                node -> outer(node).contains(name) && add.file().isIn(node, function)))
                .isPresent();
    }

    /** Returns whether what is added to was there before the step, or nobody sees it made. */
    private boolean outlives(Add add, Region region) {
        if (add.how() == How.CHAINED) {
            return true;
        }
        if (add.how() == How.CARRIED || (add.how() == How.SUM && add.to().heap().isEmpty())) {
            return !(add.target() instanceof Expr.Attribute it)
                    || plain.value(it.value()).heap().isEmpty()
                    || plain.value(it.value()).heap().stream().anyMatch(heap -> outlives(heap, region, DEPTH));
        }
        return add.to().heap().isEmpty() || add.to().heap().stream().anyMatch(heap -> outlives(heap, region, DEPTH));
    }

    private boolean outlives(Heap heap, Region region, int depth) {
        return switch (heap.kind()) {
            case MODULE, CLASS -> true;
            case INSTANCE -> {
                List<Expr.Call> made = plain.constructed(heap.node());
                yield made.isEmpty() || made.stream().anyMatch(call -> !region.contains(file(call), call));
            }
            default -> !region.contains(heap.file(), heap.node()) || (depth > 0 && isHeld(heap, region, depth - 1));
        };
    }

    /** Returns whether an object is put into one that was there before the step. */
    private boolean isHeld(Heap heap, Region region, int depth) {
        return plain.adds().stream()
                .filter(add -> add.to().heap().stream().noneMatch(to -> to.node() == heap.node()))
                .filter(add -> add.added().heap().stream().anyMatch(each -> each.node() == heap.node()))
                .anyMatch(add -> add.to().heap().stream().anyMatch(to -> outlives(to, region, depth)));
    }

    // ---- What runs again and again, and where the labels begin

    List<Region> regions() {
        if (regions == null) {
            regions = repeated();
        }
        return regions;
    }

    private List<Region> repeated() {
        List<Region> regions = loops();
        List<Node> functions =
                calls.stream().map(Call::function).flatMap(Optional::stream).toList();
        if (regions.isEmpty()) { // another thread runs them
            all(Stmt.class)
                    .filter(Region::isLoop)
                    .map(loop -> Region.of(inside(loop), files, plain))
                    .filter(region -> functions.stream().anyMatch(region::isCalled))
                    .forEach(regions::add);
        }
        isLooping = !regions.isEmpty();
        if (!isLooping) {
            List<Node> called = functions.size() > 1 ? functions.subList(0, functions.size() - 1) : functions;
            regions.add(Region.of(called, files, plain));
        }
        return regions;
    }

    /** The code that the loops around the calls repeat. */
    private List<Region> loops() {
        List<Region> regions = new ArrayList<>();
        for (Call call : calls.reversed()) {
            List<Node> loops = new ArrayList<>();
            Optional<Node> next = call.file
                    .statementAt(call.line)
                    .flatMap(statement ->
                            isGenerating(statement) ? Optional.of(statement) : Region.loop(call.file, statement));
            while (next.isPresent()) {
                loops.addFirst(next.get());
                next = Region.loop(call.file, next.get());
            }
            List<Node> run = calls.subList(0, calls.indexOf(call)).stream()
                    .map(Call::function)
                    .flatMap(Optional::stream)
                    .toList();
            loops.forEach(loop -> regions.add(
                    Region.of(Stream.concat(inside(loop).stream(), run.stream()).toList(), files, plain)));
        }
        return regions;
    }

    /** Methods that nothing of the program calls: a framework may, at each step. */
    private Region uncalled() {
        Set<Node> called = Collections.newSetFromMap(new IdentityHashMap<>());
        files.keySet().forEach(node -> called.addAll(plain.callees(node)));
        List<Node> methods = program.files().stream()
                .flatMap(file -> file.nodes().stream()
                        .filter(node -> node instanceof Stmt.FunctionDef && file.parent(node) instanceof Stmt.ClassDef))
                .filter(node -> !called.contains(node))
                .toList();
        return Region.of(methods, files, plain);
    }

    /** The body of a loop, and the head that is gone through with it. */
    private static List<Node> inside(Node loop) {
        List<Node> inside = new ArrayList<>(Region.body(loop));
        if (loop instanceof Stmt.For it) {
            inside.add(it.iter());
        } else if (loop instanceof Stmt.While it) {
            inside.add(it.test());
        }
        return inside;
    }

    private boolean isGenerating(Stmt statement) {
        return statement instanceof Stmt.For it && plain.value(it.iter()).isOnly(Heap.Kind.GENERATOR);
    }

    private List<Node> seeds(Call call) {
        List<Node> there = call.file.nodes().stream()
                .filter(Expr.class::isInstance)
                .filter(node ->
                        call.file.line(node) <= call.line && call.file.text().line(node.end()) >= call.line)
                .filter(node -> node instanceof Expr.Call || node instanceof Expr.BinOp || node instanceof Expr.UnaryOp)
                .filter(node -> plain.adds().stream().noneMatch(add -> add.at() == node))
                .toList();
        List<Node> here =
                there.stream().filter(node -> call.file.line(node) == call.line).toList();
        List<Node> all = here.isEmpty() ? there : here;
        List<Node> torch =
                all.stream().filter(node -> plain.callees(node).isEmpty()).toList();
        return torch.isEmpty() ? all : torch;
    }

    // ---- What those ask who look for keepers that the flow does not show

    /** The nodes of a class in all files. */
    <N extends Node> Stream<N> all(Class<N> type) {
        return program.files().stream()
                .flatMap(file -> file.nodes().stream())
                .filter(type::isInstance)
                .map(type::cast);
    }

    /** The files of the calls, each once. */
    Stream<SourceFile> near() {
        return calls.stream().limit(CALLS).map(Call::file).distinct();
    }

    /** The statements of the calls, the innermost first. */
    List<Stmt> statements() {
        return calls.stream()
                .limit(CALLS)
                .flatMap(call -> call.file.statementAt(call.line).stream())
                .toList();
    }

    /** The functions of the calls, the innermost first. */
    List<Stmt.FunctionDef> functions() {
        return statements().stream()
                .flatMap(statement -> file(statement).function(statement).stream())
                .filter(Stmt.FunctionDef.class::isInstance)
                .map(Stmt.FunctionDef.class::cast)
                .toList();
    }

    /** Returns whether an expression comes to what the innermost call makes, has it, or is computed from it. */
    boolean isMade(Node expression) {
        for (int i = 0; i < Math.min(calls.size(), CALLS) && !isLetGo(i); i++) {
            if (labelled(i).value(expression).reached() > 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether all of the program is at hand: its own first line is one of the calls, or a file is run as a script. */
    boolean isWhole() {
        return calls.stream()
                        .anyMatch(call -> call.file
                                .statementAt(call.line)
                                .filter(statement ->
                                        call.file.function(statement).isEmpty())
                                .isPresent())
                || all(Stmt.If.class).anyMatch(it -> file(it).text(it.test()).startsWith("__name__ =="));
    }

    /** Returns whether a line of the program may change a tensor in place. */
    boolean isChanging() {
        return all(Expr.Call.class)
                        .anyMatch(call -> isInPlace(call)
                                || call.keywords().stream().anyMatch(keyword -> "inplace".equals(keyword.arg())))
                || all(Stmt.AugAssign.class)
                        .anyMatch(it -> plain.value(it.target()).mayBeTensor())
                || all(Stmt.Assign.class)
                        .flatMap(it -> it.targets().stream())
                        .anyMatch(target -> target instanceof Expr.Subscript item
                                && plain.value(item.value()).mayBeTensor());
    }

    /** Returns whether a call is of a method that changes its tensor, by the name that PyTorch gives those. */
    private static boolean isInPlace(Expr.Call call) {
        return call.func() instanceof Expr.Attribute method
                && method.attr().endsWith("_")
                && !method.attr().endsWith("__");
    }

    /** Returns whether a node stands in the function of a call. */
    public boolean isCalled(SourceFile file, Node node) {
        Node function = file.function(node).orElse(null);
        return statements().stream()
                .anyMatch(call -> file(call) == file && file.function(call).orElse(null) == function);
    }

    /** Returns whether a node runs again and again. */
    boolean isRepeated(Node node) {
        return regions().stream().anyMatch(region -> region.contains(file(node), node));
    }

    /** Returns whether a loop around the calls runs a node. */
    boolean isLooped(Node node) {
        return isRepeated(node) && isLooping;
    }

    /** The additions of what some expressions come to, to what outlives a step. */
    Stream<Kept> kept(Collection<? extends Node> seeds) {
        FlowFacts facts = labelled(seeds);
        return facts.adds().stream()
                .filter(KeptSearch::isCollected)
                .filter(add -> add.added().reached() > 0)
                .flatMap(add -> kept(add, facts).stream());
    }

    /** An addition to what outlives a step. */
    Optional<Kept> kept(Add add, FlowFacts facts) {
        return regions().stream()
                .filter(region -> outlives(add, region))
                .findFirst()
                .map(region -> new Kept(add, add.added().reached() == FlowValue.SAME, region, facts));
    }

    /** Returns whether a node stands under a condition within its function. */
    boolean isConditional(Node node) {
        SourceFile file = file(node);
        return file.around(node, each -> each instanceof Stmt.If || each instanceof Stmt.FunctionDef)
                .filter(Stmt.If.class::isInstance)
                .isPresent();
    }

    /** The expressions that come to one of the collections that something is added to; by its name where nobody sees it made. */
    Stream<Node> uses(Kept kept) {
        String name = kept.file().text(kept.add().target());
        Set<Heap> heaps = heaps(kept);
        if (!heaps.isEmpty()) {
            return plain.uses(heaps).stream();
        }
        return kept.add().target() instanceof Expr.Attribute target
                ? all(Expr.Attribute.class)
                        .filter(it -> it.attr().equals(target.attr()))
                        .map(Node.class::cast)
                : kept.file().nodes().stream()
                        .filter(node ->
                                node instanceof Expr && kept.file().text(node).equals(name));
    }

    /** The collections that something is added to, as the flow without labels has them. */
    Set<Heap> heaps(Kept kept) {
        return plain.value(kept.add().target()).heap();
    }

    /** The functions that a bound method stands for. */
    List<Stmt.FunctionDef> methods(Heap method) {
        return method.functions().stream()
                .map(Heap::node)
                .filter(Stmt.FunctionDef.class::isInstance)
                .map(Stmt.FunctionDef.class::cast)
                .toList();
    }

    /** The functions that a value may be, or be a method by. */
    Stream<Node> functions(Node value) {
        return plain.value(value).heap().stream()
                .flatMap(heap -> heap.kind() == Heap.Kind.METHOD ? heap.functions().stream() : Stream.of(heap))
                .filter(heap -> heap.kind() == Heap.Kind.FUNCTION)
                .map(Heap::node);
    }

    SourceFile file(Node node) {
        return files.getOrDefault(node, calls.getFirst().file);
    }
}
