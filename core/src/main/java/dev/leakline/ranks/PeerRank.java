package dev.leakline.ranks;

import dev.leakline.finding.GrowthSeverity;
import dev.leakline.result.Finding;
import dev.leakline.result.ProcessSummary;
import dev.leakline.result.ProcessSummary.Course;
import dev.leakline.result.ProcessSummary.LineMemory;
import dev.leakline.result.Site;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rank whose memory is compared with that of others, measure by measure: all of it, and for each line what it holds itself and with all
 * that it calls. A measure has the same number in all ranks of a job.
 */
final class PeerRank {
    /** The least share of a peak that is older than a recording that began late. */
    private static final double LATE = 0.01;

    private final Measures all;
    private final int rank;
    private final ProcessSummary process;
    /** How each measure went; null where it never held anything. */
    private final @Nullable Course[] courses;
    /** Bytes of each measure from the warm-up to the end, beside the model. */
    private final long[] kept;
    /** Bytes of the model that were allocated at each line. */
    private final long[] models;
    /** Bytes of each line that are live when the last step ends. */
    private final long[] floors;

    private PeerRank(Measures measures, int rank, ProcessSummary process) {
        this.all = measures;
        this.rank = rank;
        this.process = process;
        this.courses = new Course[measures.count()];
        this.kept = new long[measures.count()];
        this.models = new long[measures.count()];
        this.floors = new long[measures.count()];
        courses[Measures.TOTAL] = process.total();
        for (LineMemory line : process.lines()) {
            int own = measures.own(line.site());
            courses[own] = line.own();
            courses[own + 1] = line.through();
            kept[own] = line.kept();
            kept[own + 1] = line.keptThrough();
            models[own] = line.model();
            floors[own] = line.floor() + line.kept();
        }
    }

    /**
     * Growth that takes less than this share of a device in a long job makes no rank leak that its peers do not: a loss that is kept at each
     * step is half a kilobyte.
     */
    private static final double NEGLIGIBLE_GROWTH = 0.01;

    /** The measures of a job. */
    static final class Measures {
        /** All that comes and goes. */
        static final int TOTAL = 0;

        private boolean hasSteps;
        private final Map<String, Integer> numbers = new HashMap<>();
        private final List<Measure> all = new ArrayList<>();

        Measures() {
            all.add(new Measure("", null, false));
        }

        /** Takes note of one of the ranks, each before any is made: its lines get their numbers. */
        void add(ProcessSummary process) {
            hasSteps |= process.steps() > 0;
            process.lines().forEach(this::add);
        }

        /** Gives a line its numbers: its own memory, and all through it. */
        private void add(LineMemory line) {
            String key = key(line.site());
            if (numbers.putIfAbsent(key, all.size()) == null) {
                all.add(new Measure(key, line.site(), true));
                all.add(new Measure(key, line.site(), false));
            }
        }

        int count() {
            return all.size();
        }

        Measure get(int number) {
            return all.get(number);
        }

        /** The number of a line's own memory, -1 where it is not known; that of all through it is one more. */
        int own(Site site) {
            return numbers.getOrDefault(key(site), -1);
        }

        /** The same line has the same key wherever the program is installed. */
        private static String key(Site site) {
            String kind = site.kind() == Site.Kind.USER ? "" : site.kind().name();
            return kind + ' ' + site.frame().fileName() + ':' + site.line() + ' ' + site.function();
        }

        /** A rank with all measures, which are known by now. */
        PeerRank of(int rank, ProcessSummary process) {
            return new PeerRank(this, rank, process);
        }
    }

    /**
     * A measure that is compared.
     *
     * @param site the line; null where it is all memory
     * @param isOwn whether it is what was allocated at the line itself
     */
    record Measure(String key, @Nullable Site site, boolean isOwn) {}

    /** Its number in the job. */
    int rank() {
        return rank;
    }

    /** The summary of its process. */
    ProcessSummary process() {
        return process;
    }

    /** Returns whether it ever allocated what a measure is about. */
    boolean has(int measure) {
        return courses[measure] != null;
    }

    /** Returns whether it ever allocated at a line, or through it. */
    boolean has(Site site) {
        int own = all.own(site);
        return own >= 0 && has(own);
    }

    /** The leaks that grow without a ceiling, and fast enough to fill a device one day. */
    List<Finding> leaks() {
        double least = NEGLIGIBLE_GROWTH * GrowthSeverity.COMMON_DEVICE / GrowthSeverity.STEPS_OF_A_JOB;
        return process.leaks().stream()
                .filter(leak -> leak.bytesPerStep() >= least)
                .toList();
    }

    boolean isLate() {
        return process.older() > LATE * process.peak();
    }

    /** Steps within which something can be compared: of a recording too short to have any, what it has may be all of the first. */
    int steps() {
        return process.steps() > 0 ? process.steps() : all.hasSteps ? 1 : Integer.MAX_VALUE;
    }

    /** The most that was held, beside the model; of a recording that began late nobody knows where what was there came from. */
    long most(int measure, boolean hasKept) {
        Course course = courses[measure];
        return (course == null ? 0 : course.most()) + (hasKept ? kept[measure] : 0);
    }

    /** The same as far as a recording of so many steps goes; that of its own length shows what comes after the last whole step, too. */
    long mostWithin(int measure, int steps, boolean hasKept) {
        Course course = courses[measure];
        boolean isShorter = steps < steps();
        return course != null && isShorter
                ? course.mostBefore(steps) + (hasKept ? kept[measure] : 0)
                : most(measure, hasKept);
    }

    /** How much this rank holds more than another at any time, as far as the recording of the other goes. */
    long more(PeerRank other, int measure) {
        boolean hasKept = !isLate() && !other.isLate();
        return mostWithin(measure, other.steps(), hasKept) - other.most(measure, hasKept);
    }

    /** Bytes of the model that were allocated at a line. */
    long model(int measure) {
        return models[measure];
    }

    /** Bytes at a line that are live when the last step ends. */
    long floor(int measure) {
        return floors[measure];
    }

    /** The middle of the peaks of steps; 0 where nothing is known of them. */
    long usual(int measure) {
        Course course = courses[measure];
        return course == null ? 0 : course.usual();
    }

    /** How much the peaks of the steps differ: the distance of their quartiles. */
    long quartiles(int measure) {
        Course course = courses[measure];
        return course == null ? 0 : course.quartiles();
    }

    /** How far the highest peak of steps that differ may be from that of another rank: where few are much higher, it is a matter of luck. */
    long spread(int measure) {
        Course course = courses[measure];
        return course == null ? 0 : course.quartiles() + Math.min(course.tail(), course.quartiles());
    }
}
