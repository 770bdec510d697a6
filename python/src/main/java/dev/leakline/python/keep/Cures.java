package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Reads.Read;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The edits that end the growth of what a statement keeps, the best first: those that keep what the program does, by what it reads of the
 * collection, before those that somebody has to look at.
 */
@SuppressWarnings("ReferenceEquality") // nodes have the equality of records: two files may have equal ones
public final class Cures {
    static final String MOVED = ".detach().cpu()";
    static final String ON_HOST =
            "What reads the entries finds them in CPU memory, without gradients, and CPU memory grows instead.";
    private static final String SHAPED = ".detach().to(\"meta\")";
    /** Attributes by whose name somebody meant a limit. */
    private static final Pattern LIMIT = Pattern.compile(
            "(?i)_?(max_?(len|size|entries|items)?|capacity|limit|window|span|keep|room|size|maxlen|maxsize|history_len|memory_size)");
    /** Methods after which a key is not used any more. */
    private static final Pattern ENDING = Pattern.compile(
            "_?(close|finish|end|release|remove|delete|disconnect|stop|logout|leave|expire|forget|drop|done|discard|free)(_.*)?");

    /** Lightning's hooks. */
    private static final Pattern EPOCH = Pattern.compile("on_(train|validation|test|predict)_epoch_end");

    private final KeptSearch search;
    private final Kept kept;
    private final SourceFile file;
    private final List<Read> reads;
    private final Heap.Kind kind;
    private final @Nullable String place;
    private final boolean isCache;
    private final boolean isGraph;
    private Taken.@Nullable Part taken;

    private Cures(KeptSearch search, Kept kept, @Nullable String place, boolean isCache, boolean isGraph) {
        this.search = search;
        this.kept = kept;
        this.file = kept.file();
        this.reads = Reads.of(search, kept);
        Heap.Kind seen = Reads.kind(search.facts(), kept);
        this.kind = seen != null ? seen : isMapping() ? Heap.Kind.DICT : Heap.Kind.GENERATOR;
        this.place = place;
        this.isCache = isCache;
        this.isGraph = isGraph;
    }

    /**
     * The cures of what is kept.
     *
     * @param place where in what is added a dump shows a tensor: empty for itself, null where no dump shows it
     * @param isCache whether a dump shows a dict that grows
     * @param isGraph whether it is an autograd graph that grows
     */
    public static List<Cure> of(
            KeptSearch search, Kept kept, @Nullable String place, boolean isCache, boolean isGraph) {
        return new Cures(search, kept, place, isCache, isGraph).all();
    }

    /** Returns whether each step takes something out of the collection again, whatever else happens. */
    public static boolean isEmptied(KeptSearch search, Kept kept) {
        return Reads.of(search, kept).stream()
                .filter(read -> read.kind() == Reads.Kind.REMOVAL)
                .filter(read -> kept.isPut()
                        || Reads.kind(search.facts(), kept) == Heap.Kind.QUEUE
                        || kept.region().contains(read.file(), read.at()))
                .anyMatch(read -> read.file()
                        .around(
                                read.at(),
                                node -> node instanceof Stmt.If it
                                        && !read.file().text(it.test()).contains("len("))
                        .isEmpty());
    }

    /** Returns whether items are put by keys into what is asked for them by {@code get}, which only mappings have. */
    private boolean isMapping() {
        return kept.add().how() == How.ITEM
                && reads.stream()
                        .anyMatch(read -> read.kind() == Reads.Kind.LOOKUP && read.at() instanceof Expr.Attribute);
    }

    private List<Cure> all() {
        boolean isCollection = kept.add().how() == How.CALL
                || kept.add().how() == How.ITEM
                || (kept.add().how() == How.SUM && kind.isSummed());
        if (kept.add().how() == How.CHAINED) {
            return unchained().stream().toList();
        }
        if (!isCollection) {
            return Kept.joining(kept.add())
                    .map(_ -> newest().or(() -> bounded(Cure.CHOICE, false)
                            .map(edits -> Cure.open(edits, "Only the newest part is kept."))))
                    .map(cure -> cure.stream().toList())
                    .orElseGet(() -> new Carrying(search, kept).cures());
        }
        if (kind.isNamespace() || kind == Heap.Kind.HOLDER) {
            return kept.isRegistered() && kept.add().at() instanceof Expr.Call call
                    ? new Registering(search).ended(call, false).stream().toList()
                    : List.of();
        }
        if (has(Reads.Kind.VAIN)) {
            return new Matching(search, kept, reads).cure().stream().toList();
        }
        if (kept.isTask()) {
            return new Tasks(search).cures(kept, reads);
        }
        List<Edit> calmed = Moving.of(search.facts(), file, kept.add().value(), Moving.CALM, null, false);
        if (!calmed.isEmpty()) {
            return List.of(Cure.calm(calmed));
        }
        if (search.facts().value(kept.add().value()).isOnly(Heap.Kind.METHOD)) {
            return new Registering(search).weak(kept);
        }
        List<Cure> cures = Stream.of(
                        cleared(),
                        counted(),
                        newest(),
                        new NumbersRead(search, kept, reads).cure(),
                        shaped(),
                        queued(),
                        ended(),
                        enforced(),
                        copied(),
                        anew(),
                        cached(isAsked()),
                        moved())
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(cure -> !cure.isSafe()))
                .toList();
        boolean isLimited = cures.stream()
                .anyMatch(cure -> cure.kind() == Cure.Kind.BOUND || (cure.kind() == Cure.Kind.LIMIT && !cure.isOpen()));
        return cures.isEmpty() && !search.labelled(elements()).isBackward()
                ? cached(true).stream().toList()
                : cures.stream().filter(cure -> !isLimited || !cure.isOpen()).toList();
    }

    /** The expressions that come to the collection, so that what is read of it has their label. */
    private List<Node> elements() {
        return search.uses(kept)
                .filter(use -> !file.isIn(use, kept.statement()))
                .toList();
    }

    private boolean has(Reads.Kind wanted) {
        return reads.stream().anyMatch(read -> read.kind() == wanted);
    }

    private boolean hasOnly(Set<Reads.Kind> allowed) {
        return reads.stream().allMatch(read -> allowed.contains(read.kind()));
    }

    // ---- Read at the end of each epoch

    /** A collection that one of Lightning's hooks reads at the end of each epoch and does not clear, cleared behind the last read. */
    private Optional<Cure> cleared() {
        List<Read> last = reads.stream()
                .filter(read -> read.file()
                        .function(read.at())
                        .filter(function -> function instanceof Stmt.FunctionDef it
                                && EPOCH.matcher(it.name()).matches())
                        .isPresent())
                .toList();
        boolean isCleared =
                last.stream().anyMatch(read -> read.kind() == Reads.Kind.REMOVAL && !search.isConditional(read.at()));
        List<Edit> edits = new ArrayList<>();
        return isCleared
                ? Optional.empty()
                : last.stream()
                        .filter(read -> read.kind() != Reads.Kind.REMOVAL)
                        .max(Comparator.comparingInt(read -> read.at().start()))
                        .filter(read -> Registering.follow(
                                read.file(), read.file().statement(read.at()), box() + ".clear()", edits))
                        .map(_ -> Cure.review(Cure.Kind.CLEAR, edits, "Each epoch begins with none."));
    }

    // ---- Only the number is read

    private Optional<Cure> counted() {
        Expr value = kept.add().value();
        boolean isCounted = has(Reads.Kind.COUNT)
                && hasOnly(Set.of(Reads.Kind.COUNT, Reads.Kind.COMPARED))
                && ((kind == Heap.Kind.LIST && kept.add().how() == How.CALL)
                        || (kind == Heap.Kind.DICT && kept.add().at() instanceof Stmt.Assign));
        List<Edit> edits = new ArrayList<>();
        boolean isOfTorch =
                value instanceof Expr.Call call && file.fullName(call.func()).startsWith("torch.");
        if (isCounted && !isOfTorch && Registering.isActive(file, value)) {
            Edit.before(file, kept.statement(), List.of(file.text(value))).ifPresent(edits::add);
        }
        edits.add(Edit.replace(file, value, "None"));
        return isCounted
                ? Optional.of(Cure.safe(Cure.Kind.DROP, edits, "Nothing reads the entries, only how many there are."))
                : Optional.empty();
    }

    private boolean hasRemoval() {
        return has(Reads.Kind.REMOVAL);
    }

    // ---- Only the newest are read

    private Optional<Cure> newest() {
        List<Read> last = reads.stream()
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
        boolean isByKey = reads.stream()
                .filter(read -> read.kind() == Reads.Kind.ITEM)
                .anyMatch(read -> last.stream().noneMatch(from -> isKeyOf(read, from)));
        if (last.isEmpty() || !hasOnly(allowed) || (has(Reads.Kind.ITEM) && !isLargest)) {
            return Optional.empty();
        }
        return count(last)
                .flatMap(count -> bounded(count, isLargest)
                        .map(edits -> has(Reads.Kind.COUNT) || isByKey
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
                .filter(node -> file.function(node).equals(file.function(it)))
                .filter(node -> switch (node) {
                    case Node.Arg arg -> arg.arg().equals(key.id());
                    case Node.Comprehension loop -> isNamed(loop.target(), key.id());
                    case Stmt.For loop -> isNamed(loop.target(), key.id());
                    case Stmt.Assign assign -> assign.targets().stream().anyMatch(target -> isNamed(target, key.id()));
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

    private static boolean isNamed(Expr target, String name) {
        return target instanceof Expr.Name it && it.id().equals(name);
    }

    /** Returns whether a variable of a function has the value of an expression and no other. */
    private static boolean isGiven(SourceFile file, Expr variable, Node value) {
        return variable instanceof Expr.Name name
                && file.nodes().stream()
                        .filter(node -> node instanceof Stmt.Assign it
                                && it.targets().stream().anyMatch(target -> isNamed(target, name.id()))
                                && file.function(node).equals(file.function(value)))
                        .allMatch(node -> ((Stmt.Assign) node).value() == value)
                && file.around(
                                value,
                                node -> node instanceof Stmt.Assign it
                                        && it.value() == value
                                        && isNamed(it.targets().getFirst(), name.id()))
                        .isPresent();
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
        int place = read.file().function(count).orElse(null) instanceof Stmt.FunctionDef function
                ? function.args().args().stream()
                        .map(Node.Arg::arg)
                        .filter(name -> !name.equals("self"))
                        .toList()
                        .indexOf(read.file().text(count))
                : -1;
        List<String> numbers = search.all(Expr.Call.class)
                .filter(call -> place >= 0
                        && search.facts()
                                .callees(call)
                                .contains(read.file().function(count).orElse(null)))
                .map(call -> place < call.args().size()
                        ? search.file(call).text(call.args().get(place))
                        : "")
                .toList();
        return search.isWhole() && numbers.stream().allMatch(number -> number.matches("\\d{1,7}"))
                ? numbers.stream().mapToInt(Integer::parseInt).max()
                : OptionalInt.empty();
    }

    /** Returns whether an expression means the same where the entries are added. */
    private boolean isSeen(Read read, Expr count) {
        if (read.file() != file) {
            return false;
        }
        if (count instanceof Expr.Attribute it && it.value() instanceof Expr.Name self) {
            return type(read.at()).isPresent()
                    && type(read.at()).equals(type(kept.add().at()))
                    && isFirst(self.id(), read.at())
                    && isFirst(self.id(), kept.add().at());
        }
        return count instanceof Expr.Name it && isGlobal(it.id());
    }

    private Optional<Node> type(Node node) {
        return file.around(node, Stmt.ClassDef.class::isInstance);
    }

    /** Returns whether a name is the first parameter of the method around a node. */
    private boolean isFirst(String name, Node node) {
        return file.function(node)
                .filter(function -> function instanceof Stmt.FunctionDef it
                        && !it.args().args().isEmpty()
                        && it.args().args().getFirst().arg().equals(name))
                .isPresent();
    }

    private boolean isGlobal(String name) {
        return file.nodes().stream()
                .anyMatch(node -> node instanceof Stmt.Assign it
                        && file.parent(it) == null
                        && it.targets().stream()
                                .anyMatch(target -> file.text(target).equals(name)));
    }

    /** The end of a tensor along the dimension in which a call joins it; empty where that is no number. */
    private Optional<String> end(Expr.Call joining, String count) {
        String dimension = Stream.concat(
                        joining.args().stream().skip(1),
                        joining.keywords().stream().map(Node.Keyword::value))
                .map(file::text)
                .findFirst()
                .orElse("0");
        return dimension.matches("\\d")
                ? Optional.of("[" + ":, ".repeat(Integer.parseInt(dimension)) + "-" + count + ":]")
                : dimension.equals("-1") ? Optional.of("[..., -" + count + ":]") : Optional.empty();
    }

    private Optional<List<Edit>> bounded(String count, boolean isLargest) {
        String box = box();
        boolean isMadeAnew = kept.add().at() instanceof Expr
                && kept.statement() instanceof Stmt.Assign it
                && it.targets().stream().anyMatch(target -> file.text(target).equals(box));
        if (isMadeAnew) {
            return Optional.empty();
        }
        if (kept.add().how() == How.CARRIED) {
            return Kept.joining(kept.add())
                    .flatMap(joining -> end(joining, count).map(end -> List.of(Edit.call(file, joining, end))));
        }
        if (kept.add().how() == How.SUM && !(kept.add().at() instanceof Stmt.AugAssign && kind == Heap.Kind.LIST)) {
            return summed().filter(_ -> !isLargest && (kind == Heap.Kind.LIST || kind == Heap.Kind.TUPLE))
                    .map(sum -> List.of(Edit.replace(file, sum, "(" + file.text(sum) + ")[-" + count + ":]")));
        }
        if (kind == Heap.Kind.LIST && isLargest) {
            return popped(count);
        }
        return switch (kind) {
            case LIST -> behind(List.of("del " + box + "[:-" + count + "]"));
            case DEQUE -> behind(List.of("while len(" + box + ") > " + count + ":", "    " + box + ".popleft()"));
            case DICT ->
                behind(List.of(
                        "while len(" + box + ") > " + count + ":",
                        "    " + box + ".pop(" + (isLargest ? "min(" + box + ")" : "next(iter(" + box + "))") + ")"));
            default -> Optional.empty();
        };
    }

    /** A heap without its smallest entries. */
    private Optional<List<Edit>> popped(String count) {
        String push = kept.add().at() instanceof Expr.Call it ? file.text(it.func()) : "";
        if (!push.endsWith("heappush")) {
            return Optional.empty();
        }
        String pop = push.contains(".") ? push.replace("heappush", "heappop") : "heapq.heappop";
        return behind(List.of("while len(" + box() + ") > " + count + ":", "    " + pop + "(" + box() + ")"))
                .map(edits -> Stream.concat(
                                push.contains(".") ? Stream.empty() : Edit.importing(file, "heapq"), edits.stream())
                        .toList());
    }

    /** The sum that a statement or a call gives a variable. */
    private Optional<Expr> summed() {
        return switch (kept.add().at()) {
            case Stmt.Assign it -> Optional.of(it.value());
            case Expr.Call it -> Optional.of(it.args().getFirst());
            case Expr it -> Optional.of(it);
            default -> Optional.empty();
        };
    }

    /** The collection that is added to, as an expression that may stand anywhere. */
    private String box() {
        Expr target = kept.add().target();
        return target instanceof Expr.Call it
                        && it.func() instanceof Expr.Attribute method
                        && method.attr().equals("setdefault")
                ? file.text(method.value()) + "[" + file.text(it.args().getFirst()) + "]"
                : file.text(target);
    }

    private Optional<List<Edit>> behind(List<String> lines) {
        Stmt statement = kept.statement();
        return statement instanceof Stmt.Return
                ? Optional.empty()
                : Edit.after(file, statement, lines).map(List::of);
    }

    // ---- Only shapes or numbers are read

    private Optional<Cure> shaped() {
        boolean isByKey = has(Reads.Kind.LOOKUP) || has(Reads.Kind.ITEM) || isCache;
        List<Edit> edits = !isByKey && taken() == Taken.Part.SHAPE ? edits(SHAPED) : List.of();
        return edits.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Cure.safe(
                                Cure.Kind.SHAPES,
                                edits,
                                "All that reads the entries takes their shapes, which tensors on the meta device have without memory."));
    }

    /** The most that the program takes of an entry; all of it where not the whole program is at hand. */
    private Taken.Part taken() {
        if (taken == null) {
            boolean isSeen =
                    search.isWhole() && !search.heaps(kept).isEmpty() && Taken.isInside(search, search.heaps(kept));
            taken = isSeen ? Taken.of(search, elements()) : Taken.Part.ALL;
        }
        return taken;
    }

    /** Returns whether the collection is made by the function that fills it, so that it has as many entries as that makes. */
    private boolean isLocal() {
        return search.heaps(kept).stream()
                .allMatch(heap -> heap.file() == file
                        && file.function(heap.node())
                                .equals(file.function(kept.add().at())));
    }

    /** The edits that put a call behind the tensors that are added. */
    private List<Edit> edits(String call) {
        boolean isExtended = kept.add().at() instanceof Expr.Call it
                && it.func() instanceof Expr.Attribute method
                && method.attr().equals("extend");
        return Moving.of(
                kept.facts(),
                file,
                kept.add().value(),
                call,
                place == null ? null : Moving.part(file, kept.add().value(), place),
                isExtended || kept.add().at() instanceof Stmt.AugAssign);
    }

    // ---- Others

    /** A queue that is filled faster than it is emptied. */
    private Optional<Cure> queued() {
        if (kind != Heap.Kind.QUEUE) {
            return Optional.empty();
        }
        String box = box();
        boolean isCounted =
                reads.stream().anyMatch(read -> read.file().text(read.at()).endsWith(".task_done"));
        List<String> lines = new ArrayList<>(
                List.of("while " + box + ".qsize() > " + Cure.CHOICE + ":", "    " + box + ".get_nowait()"));
        if (isCounted) {
            lines.add("    " + box + ".task_done()");
        }
        return behind(lines)
                .map(edits -> Cure.open(edits, "The oldest are dropped where more than so many wait." + search.held()));
    }

    /** A method that ends what a key stands for, and reads its entry without taking it out. */
    private Optional<Cure> ended() {
        if (kind != Heap.Kind.DICT || hasRemoval()) {
            return Optional.empty();
        }
        return reads.stream()
                .filter(read -> read.kind() == Reads.Kind.ITEM)
                .filter(read -> read.at() instanceof Expr.Subscript it && isParameter(read.file(), it))
                .filter(read -> read.file()
                        .function(read.at())
                        .filter(function -> function instanceof Stmt.FunctionDef it
                                && ENDING.matcher(it.name()).matches())
                        .isPresent())
                .findFirst()
                .map(read -> {
                    Expr.Subscript it = (Expr.Subscript) read.at();
                    String text =
                            read.file().text(it.value()) + ".pop(" + read.file().text(it.slice()) + ")";
                    return Cure.review(
                            Cure.Kind.TAKE,
                            List.of(Edit.replace(read.file(), it, text)),
                            "Nothing may ask for the entry after this.");
                });
    }

    private static boolean isParameter(SourceFile file, Expr.Subscript it) {
        return it.slice() instanceof Expr.Name key
                && file.function(it)
                        .filter(function -> function instanceof Stmt.FunctionDef def
                                && def.args().args().stream()
                                        .anyMatch(arg -> arg.arg().equals(key.id())))
                        .isPresent();
    }

    /** A limit that the class has and nothing enforces, else the only one that the file names. */
    private Optional<Cure> enforced() {
        boolean isBoundable = kind == Heap.Kind.LIST || kind == Heap.Kind.DEQUE || kind == Heap.Kind.DICT;
        return isBoundable ? ofClass().or(this::ofFile) : Optional.empty();
    }

    private Optional<Cure> ofClass() {
        return kept.add().target() instanceof Expr.Attribute target && target.value() instanceof Expr.Name self
                ? type(kept.add().at())
                        .flatMap(type -> file.nodes().stream()
                                .filter(node -> node instanceof Expr.Attribute it
                                        && file.isIn(it, type)
                                        && LIMIT.matcher(it.attr()).matches()
                                        && file.text(it.value()).equals(self.id())
                                        && file.parent(it) instanceof Stmt.Assign)
                                .map(Expr.Attribute.class::cast)
                                .filter(it -> uses(it.attr()) == 1)
                                .findFirst()
                                .flatMap(it -> limited(
                                        file.text(it),
                                        "The class has a limit, " + file.text(it) + ", which nothing enforces.")))
                : Optional.empty();
    }

    /** A number of the file that is named as a limit, for a cache that is asked by keys. */
    private Optional<Cure> ofFile() {
        List<String> named = file.nodes().stream()
                .filter(node -> node instanceof Stmt.Assign it
                        && file.parent(it) == null
                        && it.value() instanceof Expr.Constant
                        && file.text(it.value()).matches("\\d{1,7}")
                        && search.isReached(Integer.parseInt(file.text(it.value()))))
                .map(node -> file.text(((Stmt.Assign) node).targets().getFirst()))
                .filter(name -> LIMIT.matcher(name).matches() && !name.matches("(?i).*(size|room)"))
                .toList();
        return named.size() == 1 && kind == Heap.Kind.DICT && isAsked()
                ? limited(
                        named.getFirst(), "It is the only limit that the file names: see whether it is meant for this.")
                : Optional.empty();
    }

    private Optional<Cure> limited(String limit, String why) {
        return bounded(limit, false).map(edits -> Cure.review(Cure.Kind.LIMIT, edits, why));
    }

    private long uses(String attribute) {
        return search.program().files().stream()
                .flatMap(each -> each.nodes().stream())
                .filter(node -> node instanceof Expr.Attribute it && it.attr().equals(attribute))
                .count();
    }

    /** A part of a tensor that keeps all of it. */
    private Optional<Cure> copied() {
        return Moving.view(kept.add().value())
                .filter(view -> search.facts().value(view).isTensor()
                        || search.facts().value(view).isOpen())
                .filter(_ -> kept.isMade())
                .map(view -> Cure.safe(
                        Cure.Kind.COPY,
                        List.of(Edit.call(file, view, isGraph ? ".detach().clone()" : ".clone()")),
                        "The copy has the same values on the same device; what it was a part of is freed."));
    }

    /** Returns whether a dict is asked whether it has a key, as a cache is. */
    private boolean isAsked() {
        return has(Reads.Kind.LOOKUP) || kept.add().at() instanceof Expr.Call || isCache || isReadBefore();
    }

    /** Returns whether the function that puts an entry reads the entry of the same key before. */
    private boolean isReadBefore() {
        Expr key = kept.add().key();
        return key != null
                && reads.stream()
                        .anyMatch(read -> read.kind() == Reads.Kind.ITEM
                                && read.at() instanceof Expr.Subscript it
                                && read.file() == file
                                && it.end() < kept.statement().start()
                                && file.function(it)
                                        .equals(file.function(kept.add().at()))
                                && file.text(it.slice()).equals(file.text(key)));
    }

    private Optional<Cure> cached(boolean isWanted) {
        return kind == Heap.Kind.DICT && isWanted
                ? bounded(Cure.CHOICE, false)
                        .map(edits -> Cure.open(
                                edits,
                                (isAsked() && has(Reads.Kind.LOOKUP)
                                                ? "The oldest entries go, and are made again where they are asked for."
                                                : reads.isEmpty()
                                                        ? "The oldest entries go; nothing of the source reads them."
                                                        : "The oldest entries go: see that nobody asks for them then.")
                                        + search.held()))
                : Optional.empty();
    }

    /** A cache whose keys are tensors, which are found by their identity, so that no entry of an earlier step is. */
    private Optional<Cure> anew() {
        Expr key = kept.add().key();
        return kind == Heap.Kind.DICT
                        && key != null
                        && search.facts().value(key).isTensor()
                        && isAsked()
                ? Edit.before(file, kept.statement(), List.of(box() + ".clear()"))
                        .map(
                                edit -> Cure.review(
                                        Cure.Kind.BOUND,
                                        List.of(edit),
                                        "A tensor is found as a key by its identity: an entry helps as long as the same tensor object is asked for."))
                : Optional.empty();
    }

    /** The place of a display that is given the display of the step before, where nothing reads any of them. */
    private Optional<Expr> past() {
        boolean isUnread = reads.stream().allMatch(read -> file.isIn(read.at(), kept.statement()));
        return isUnread && kept.add().value() instanceof Expr.Tuple it
                ? it.elts().stream()
                        .filter(each -> file.text(each).equals(box()))
                        .findFirst()
                : Optional.empty();
    }

    /** Objects of which each keeps the one before it, without those before that. */
    private Optional<Cure> unchained() {
        Optional<Expr> past = past();
        if (past.isPresent()) {
            Cure ended = Cure.safe(
                    Cure.Kind.UNCHAIN,
                    List.of(Edit.replace(file, past.get(), "None")),
                    "Nothing of the source reads what came before.");
            return Optional.of(search.isWhole() ? ended : ended.unproven());
        }
        if (!(kept.add().target() instanceof Expr.Attribute next)
                || !(kept.add().value() instanceof Expr.Name before)) {
            return Optional.empty();
        }
        boolean isReadBack = search.all(Expr.Attribute.class)
                .filter(it -> it.attr().equals(next.attr()))
                .anyMatch(it ->
                        (it.value() instanceof Expr.Attribute of && of.attr().equals(next.attr()))
                                || (search.file(it).parent(it) instanceof Stmt.Assign assign
                                        && assign.value() == it
                                        && search.file(it)
                                                .text(assign.targets().getFirst())
                                                .equals(search.file(it).text(it.value()))));
        String cut = before.id() + "." + next.attr() + " = None";
        List<String> lines = search.facts().value(before).mayBeNone()
                ? List.of("if " + before.id() + " is not None:", "    " + cut)
                : List.of(cut);
        return isReadBack
                ? Optional.empty()
                : behind(lines)
                        .map(edits -> Cure.review(
                                Cure.Kind.UNCHAIN, edits, "What reads further back than the one before finds None."));
    }

    private Optional<Cure> moved() {
        FlowFacts read = search.labelled(elements());
        if (read.isMixed() || read.isBackward()) {
            return Optional.empty();
        }
        List<Edit> edits = edits(MOVED);
        if (edits.isEmpty()) {
            return Optional.empty();
        }
        if (isLocal() && taken() != Taken.Part.ALL && !search.isChanging()) {
            return Optional.of(
                    Cure.safe(
                            Cure.Kind.TO_HOST,
                            edits,
                            "All that reads the entries takes shapes and numbers, which are the same in CPU memory; that grows instead."));
        }
        return Optional.of(Cure.review(Cure.Kind.TO_HOST, edits, ON_HOST));
    }
}
