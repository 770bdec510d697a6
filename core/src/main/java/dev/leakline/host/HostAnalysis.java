package dev.leakline.host;

import dev.leakline.known.source.SourceFiles;
import dev.leakline.objects.HostLevel;
import dev.leakline.objects.HostLook;
import dev.leakline.objects.HostPile;
import dev.leakline.result.Frame;
import dev.leakline.result.HostMemory;
import dev.leakline.result.HostMemory.Experiment;
import dev.leakline.result.HostMemory.Kind;
import dev.leakline.result.HostMemory.NativeCall;
import dev.leakline.result.HostMemory.Part;
import dev.leakline.result.HostMemory.State;
import dev.leakline.result.HostMemory.Verdict;
import dev.leakline.result.JobProcess;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges the host's memory of a process by looks at it.
 *
 * <p>Each part is judged by itself ({@link RowGrowth}). What is in use and grows is a leak, unless what keeps it has a bound. What grows and is free is cached: an
 * allocator's counter says so, and no trend has to. Where Python's objects show the memory, the collection that grew by it is looked for; it makes up for
 * looks that are too few to be sure of the rate.
 */
public final class HostAnalysis {
    /** Below it a rise is left alone: pages that allocators take and give back, and what looks themselves change. */
    private static final double LEAST_BYTES = ByteSize.MIB;
    /** The same as a part of the whole: what PyTorch has in use rises by 1.2 of 360 MB in the first ten seconds of a training that keeps nothing. */
    private static final double LEAST_SHARE = 0.005;
    /** The share of a rise that a collection must have to be named as its keeper. */
    private static final double EXPLAINED = 0.5;

    /** Kinds that Python's collector frees where they are garbage that refers to itself. */
    private static final Set<Kind> COLLECTABLE = EnumSet.of(Kind.PYTHON_OBJECTS, Kind.HOST_TENSORS, Kind.NUMPY);
    /** Kinds that have a bound by their nature: no more pages than the parent has, no more events than were requested. */
    private static final Set<Kind> BOUNDED = EnumSet.of(Kind.COPY_ON_WRITE, Kind.HISTORY);

    /** How levels begin that are no levels: what came back by something that was tried. */
    private static final String TRY = "try_";

    private final List<HostLook> looks;
    private final HostLook last;
    private final double[] seconds;
    private final double least;
    private final Map<Kind, RowGrowth> rows = new EnumMap<>(Kind.class);
    private final HostLevels levels;
    private final GrownPiles piles;

    private final List<Experiment> experiments;

    private HostAnalysis(List<HostLook> looks, List<HostLevel> all, SourceFiles files) {
        this.looks = looks;
        Map<Boolean, List<HostLevel>> byUse = all.stream().collect(Collectors.partitioningBy(HostAnalysis::isTry));
        List<HostLevel> between = byUse.getOrDefault(false, List.of());
        this.experiments = byUse.getOrDefault(true, List.of()).stream()
                .flatMap(level -> level.bytes().entrySet().stream())
                .map(tried -> new Experiment(tried.getKey().substring(TRY.length()), tried.getValue()))
                .toList();
        this.last = looks.getLast();
        double begin = looks.getFirst().seconds();
        this.seconds =
                looks.stream().mapToDouble(look -> look.seconds() - begin).toArray();
        this.least = Math.max(LEAST_BYTES, last.resident() * LEAST_SHARE);
        for (Kind kind : Kind.values()) {
            rows.put(kind, new RowGrowth(seconds, bytes(kind), least));
        }
        this.levels = new HostLevels(between, begin, least);
        this.piles = new GrownPiles(looks, files);
    }

    /**
     * Judges the process that was looked at.
     *
     * @param looks in their order
     * @param levels figures between them
     * @param texts the text of a frame's file, empty where it is not at hand
     * @return its memory; empty where there is no look
     */
    public static Optional<JobProcess> of(List<HostLook> looks, List<HostLevel> levels, Function<Frame, String> texts) {
        boolean isFine = looks.stream().anyMatch(look -> !look.isCoarse());
        List<HostLook> alike =
                looks.stream().filter(look -> look.isCoarse() != isFine).toList();
        return alike.isEmpty()
                ? Optional.empty()
                : Optional.of(new JobProcess(
                        alike.getLast().pid(),
                        new HostAnalysis(alike, levels, new SourceFiles(Frame::file, texts)).judged()));
    }

    private static boolean isTry(HostLevel level) {
        return level.bytes().keySet().stream().allMatch(name -> name.startsWith(TRY));
    }

    private double[] bytes(Kind kind) {
        return looks.stream().mapToDouble(look -> look.bytes(kind)).toArray();
    }

    private HostMemory judged() {
        Optional<Kind> leak = largest(this::leaks);
        if (leak.isPresent()) {
            return memory(Verdict.LEAK, leak.get());
        }
        Optional<Kind> most = largest(this::rises).or(this::leftFree);
        if (most.isEmpty()) {
            return memory(isLevel() ? Verdict.NO_LEAK : Verdict.UNDETERMINED, null);
        }
        Kind kind = most.get();
        boolean isBounded =
                BOUNDED.contains(kind) || piles.isBounded(kind, row(kind).rise() * EXPLAINED);
        Verdict verdict =
                kind.state() == State.CACHED ? Verdict.CACHED : isBounded ? Verdict.NO_LEAK : Verdict.UNDETERMINED;
        return memory(verdict, kind);
    }

    private RowGrowth row(Kind kind) {
        return Objects.requireNonNull(rows.get(kind));
    }

    private Optional<Kind> largest(Predicate<Kind> isMeant) {
        return rows.keySet().stream()
                .filter(isMeant)
                .max(Comparator.comparingDouble(kind -> row(kind).rate()));
    }

    /** Returns whether nothing rises, by enough looks, or by what is in use between few. */
    private boolean isLevel() {
        return levels.of(Kind.PYTHON_OBJECTS) == null
                ? looks.size() >= RowGrowth.FEWEST_LOOKS
                : Stream.of(Kind.PYTHON_OBJECTS, Kind.SHARED_MEMORY, Kind.CHILDREN)
                        .map(levels::of)
                        .noneMatch(level -> level != null && (level.rises() || level.creeps()));
    }

    /** Returns whether a part has more than before, as has what it belongs to. */
    private boolean rises(Kind kind) {
        RowGrowth whole = levels.of(kind);
        return row(kind).rises() && (whole == null || whole.rises());
    }

    /** The free part of which waves of use leave ever more: no part's floor rises, but that of all of them together does. */
    private Optional<Kind> leftFree() {
        double[] all = looks.stream().mapToDouble(HostLook::resident).toArray();
        return new RowGrowth(seconds, all, least).rises()
                ? rows.keySet().stream()
                        .filter(kind ->
                                kind.state() == State.CACHED && row(kind).riseOfPeaks() >= least)
                        .max(Comparator.comparingDouble(kind -> row(kind).riseOfPeaks()))
                : Optional.empty();
    }

    private boolean leaks(Kind kind) {
        double explained = row(kind).rise() * EXPLAINED;
        boolean grows = row(kind).grows() && (row(kind).isSteady() || piles.explains(kind, explained));
        return kind.state() == State.LIVE
                && !(last.isCoarse() && kind == Kind.ANONYMOUS_MAPS)
                && !BOUNDED.contains(kind)
                && (grows || growsWithWhole(kind))
                && !piles.isBounded(kind, explained)
                && !mayBeGarbage(kind);
    }

    /** Returns whether the collector may not have come to it: no collection is seen to keep it, and it has not outlived full runs of the collector, or what it took, free objects gave up. */
    private boolean mayBeGarbage(Kind kind) {
        return COLLECTABLE.contains(kind)
                && !piles.explains(kind, row(kind).rise() * EXPLAINED)
                && !levels.outlives(row(kind).rise() * EXPLAINED);
    }

    /** Returns whether it has most of what came to a level that grows, in the later half of the looks: what came before may be imports and models. */
    private boolean growsWithWhole(Kind kind) {
        RowGrowth whole = levels.of(kind);
        int middle = (looks.size() - 1) / 2;
        double came = last.bytes(kind) - looks.get(middle).bytes(kind);
        double time = seconds[seconds.length - 1] - seconds[middle];
        return whole != null
                && whole.grows()
                && whole.isSteady()
                && came >= Math.max(least, whole.rate() * time * EXPLAINED);
    }

    private HostMemory memory(Verdict verdict, @Nullable Kind kind) {
        HostPile pile = kind == null
                ? null
                : piles.largest(kind, row(kind).rise() * EXPLAINED).orElse(null);
        NativeCall call = kind == Kind.NATIVE_LIVE || kind == Kind.ANONYMOUS_MAPS
                ? new NativeCalls(looks).largest(row(kind).rise() * EXPLAINED).orElse(null)
                : null;
        Frame site = pile != null ? piles.site(pile).line().orElse(null) : call == null ? null : call.pythonSite();
        List<Part> parts = parts();
        long sum = parts.stream().mapToLong(Part::bytes).sum();
        double rate = kind == null ? levels.growthInUse() : row(kind).rate();
        HostWords words = new HostWords(
                last,
                bytes(),
                verdict,
                kind,
                rate,
                pile,
                site,
                call,
                kind == Kind.CHILDREN ? child() : 0,
                looks.size(),
                kind != null && verdict == Verdict.UNDETERMINED && mayBeGarbage(kind));
        return new HostMemory(
                bytes(),
                parts,
                bytes() - sum,
                looks.size(),
                seconds[seconds.length - 1],
                verdict,
                kind,
                rate,
                kind == null ? stateOfMost(parts) : kind.state(),
                words.sentence(),
                pile == null ? null : pile.title(),
                site,
                call,
                experiments,
                words.advice());
    }

    /** The process below that has grown most, where those that were there at the first look have most of what came; 0 where they have not, as where ever more begin. */
    private long child() {
        Map<Long, Long> grown = new HashMap<>(last.children());
        grown.keySet().retainAll(looks.getFirst().children().keySet());
        looks.getFirst().children().forEach((pid, bytes) -> grown.computeIfPresent(pid, (_, now) -> now - bytes));
        long sum = grown.values().stream().mapToLong(Long::longValue).sum();
        return sum < row(Kind.CHILDREN).rise() * EXPLAINED
                ? 0
                : grown.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .map(Map.Entry::getKey)
                        .orElse(0L);
    }

    private static State stateOfMost(List<Part> parts) {
        long live = parts.stream()
                .filter(part -> part.kind().state() == State.LIVE)
                .mapToLong(Part::bytes)
                .sum();
        return 2 * live >= parts.stream().mapToLong(Part::bytes).sum() ? State.LIVE : State.CACHED;
    }

    private List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        double[] steps = steps();
        for (Map.Entry<Kind, RowGrowth> row : rows.entrySet()) {
            if (isPart(row.getKey())) {
                boolean isStepped = steps.length == looks.size();
                parts.add(new Part(
                        row.getKey(),
                        last.bytes(row.getKey()),
                        looks.size() < 2 ? 0 : row.getValue().rate(),
                        isStepped ? new RowGrowth(steps, bytes(row.getKey()), least).rate() : null));
            }
        }
        parts.sort(Comparator.comparingLong(Part::bytes).reversed());
        return parts;
    }

    /** Returns whether a part is counted: memory of other processes only where it has risen, since it is in their own sums as well. */
    private boolean isPart(Kind kind) {
        return isOfOthers(kind) ? row(kind).rises() : looks.stream().anyMatch(look -> look.bytes(kind) > 0);
    }

    private static boolean isOfOthers(Kind kind) {
        return kind == Kind.CHILDREN || kind == Kind.COPY_ON_WRITE;
    }

    /** The resident set, with what is counted of other processes. */
    private long bytes() {
        return last.resident()
                + rows.keySet().stream()
                        .filter(kind -> isOfOthers(kind) && isPart(kind))
                        .mapToLong(last::bytes)
                        .sum();
    }

    /** The steps of the looks, where each has more than the one before; else nothing. */
    private double[] steps() {
        double[] steps = looks.stream().mapToDouble(HostLook::steps).toArray();
        for (int i = 1; i < steps.length; i++) {
            if (steps[i - 1] < 0 || steps[i] <= steps[i - 1]) {
                return new double[0];
            }
        }
        return steps.length > 1 ? steps : new double[0];
    }
}
