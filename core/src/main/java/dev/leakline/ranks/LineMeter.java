package dev.leakline.ranks;

import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.result.Frame;
import dev.leakline.result.ProcessSummary.BlockSize;
import dev.leakline.result.ProcessSummary.Course;
import dev.leakline.result.ProcessSummary.LineMemory;
import dev.leakline.result.Site;
import dev.leakline.steps.StepCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Follows the memory of each line through a recording: what it holds itself, and what it holds through what it calls. Resident blocks are
 * counted apart, since a recording that began late has them without their lines, and what else was there before it is not counted. What the engine of a backward pass allocates has no
 * line; it counts for the call that started the pass, and for no other.
 */
final class LineMeter implements MemoryCurve.Reader {
    /** Lines with less than this part of the peak tell nobody why a rank is larger; one in two hundred is less than two ranks' noise. */
    private static final double SMALLEST_SHARE = 0.002;
    /** Lines that a summary holds: their figures take half a kilobyte each, and it has to stay below a hundred. */
    private static final int MOST_LINES = 100;

    /** A line whose memory is followed. */
    private static final class Line {
        private final Site site;
        private final CourseMeter own = new CourseMeter();
        private final CourseMeter through = new CourseMeter();
        private long model;
        private long kept;
        private long keptThrough;
        private long floor;
        private int survivors;
        private int blocks;
        private int depth;
        private boolean isInModel;
        private long allocated;
        private long sizedAsParameters;

        private Line(Site site) {
            this.site = site;
        }

        private long weight() {
            return Math.max(own.most() + kept + model, through.most() + keptThrough);
        }
    }

    private final Evidence evidence;
    private final Lifetimes lifetimes;
    private final ResidentBlocks residents;
    private final StepCursor cursor;
    private final int floorEvent;
    private final Set<Long> modelSizes = new HashSet<>();
    private final Map<Site, Line> lines = new HashMap<>();
    /** The lines that a stack with Python frames goes through, the innermost, its own, first; null where not asked yet. */
    private final Line[][] ofStacks;

    private final CourseMeter total = new CourseMeter();
    private int step = -1;

    LineMeter(Evidence evidence, ResidentBlocks residents) {
        this.evidence = evidence;
        this.lifetimes = evidence.lifetimes();
        this.residents = residents;
        this.cursor = new StepCursor(evidence.steps());
        int steps = evidence.steps().count();
        this.floorEvent =
                steps == 0 ? lifetimes.events().count() : evidence.steps().start(steps);
        this.ofStacks = new Line[evidence.columns().stacks.size()][];
        for (BlockSize size : residents.modelSizes()) {
            modelSizes.add(size.bytes());
        }
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            keep(allocation);
        }
    }

    private void keep(int allocation) {
        if (residents.isModel(allocation)) {
            own(allocation).model += ResidentBlocks.size(lifetimes, allocation);
        } else if (residents.contains(allocation)) {
            long held = ResidentBlocks.size(lifetimes, allocation);
            own(allocation).kept += held;
            for (Line line : through(allocation)) {
                line.keptThrough += held;
            }
        }
    }

    @Override
    public void look(MemoryCurve curve) {
        int event = curve.event();
        if (event < 0) {
            return;
        }
        step = cursor.of(event);
        if (curve.ended() != Lifetimes.NONE) {
            add(curve.ended(), -1);
        }
        if (curve.started() != Lifetimes.NONE) {
            add(curve.started(), 1);
        }
        if (event == floorEvent - 1) {
            lines.values().forEach(line -> {
                line.floor = line.own.now();
                line.survivors = line.blocks;
            });
        }
    }

    private void add(int allocation, int sign) {
        if (residents.contains(allocation) || lifetimes.born(allocation) == Lifetimes.BEFORE) {
            return;
        }
        long bytes = sign * ResidentBlocks.size(lifetimes, allocation);
        total.add(step, bytes);
        Line own = own(allocation);
        own.own.add(step, bytes);
        own.blocks += sign;
        if (sign > 0) {
            own.allocated += bytes;
            own.sizedAsParameters += modelSizes.contains(bytes) ? bytes : 0;
        }
        for (Line line : through(allocation)) {
            line.through.add(step, bytes);
        }
    }

    private Line own(int allocation) {
        int stack = lifetimes.stack(allocation);
        Line[] through = evidence.stacks().of(stack).hasPython() ? ofStack(stack) : new Line[0];
        return through.length > 0 ? through[0] : line(evidence.sites().site(allocation));
    }

    /** The lines that led to an allocation; none where only C++ frames are known, as in a backward pass. */
    private Line[] through(int allocation) {
        int stack = lifetimes.stack(allocation);
        return evidence.stacks().of(stack).hasPython() ? ofStack(stack) : new Line[0];
    }

    private Line[] ofStack(int stack) {
        Line[] known = ofStacks[stack];
        if (known == null) {
            known = find(stack);
            ofStacks[stack] = known;
        }
        return known;
    }

    private Line[] find(int stack) {
        Set<Line> found = new LinkedHashSet<>();
        found.add(line(evidence.stacks().of(stack).site()));
        List<Frame> calls = evidence.stacks().userFrames(stack);
        for (int depth = calls.size() - 1; depth >= 0; depth--) {
            Line line = line(new Site(Site.Kind.USER, calls.get(depth)));
            line.depth = Math.max(line.depth, depth);
            found.add(line);
        }
        boolean isInModel = evidence.stacks().callsModule(stack);
        found.forEach(line -> line.isInModel |= isInModel);
        return found.toArray(Line[]::new);
    }

    private Line line(Site site) {
        return lines.computeIfAbsent(site, Line::new);
    }

    /** All that comes and goes. */
    Course total() {
        return total.course();
    }

    /** The lines that hold most, in the order of their sites. */
    List<LineMemory> lines(long peak) {
        List<Line> largest = new ArrayList<>(lines.values());
        largest.removeIf(line -> line.weight() < SMALLEST_SHARE * peak);
        largest.sort(Comparator.comparingLong(Line::weight).reversed().thenComparing((Line line) -> line.site));
        return largest.stream()
                .limit(MOST_LINES)
                .sorted(Comparator.comparing((Line line) -> line.site))
                .map(LineMeter::memory)
                .toList();
    }

    private static LineMemory memory(Line line) {
        return new LineMemory(
                line.site,
                line.depth,
                line.own.course(),
                line.through.course(),
                line.model,
                line.kept,
                line.keptThrough,
                line.floor,
                line.survivors,
                line.through.activeSteps(),
                line.isInModel,
                line.allocated == 0 ? 0 : (double) line.sizedAsParameters / line.allocated);
    }
}
