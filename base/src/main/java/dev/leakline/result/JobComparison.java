package dev.leakline.result;

import dev.leakline.result.ProcessSummary.FailedRequest;
import dev.leakline.text.ByteSize;
import dev.leakline.text.NumberRanges;
import dev.leakline.text.Numbers;
import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a job side by side: which do the same, which differs from those that it should equal, at which line and why, who leaks, and
 * who is out of memory first. Sizes are bytes that the allocator holds.
 *
 * @param schema {@link #SCHEMA}
 * @param tool what compared them
 * @param deviceBytes the memory of each device, 0 where nobody said
 * @param ranks the ranks, in order
 * @param groups ranks that do the same, in the order of their first ranks
 * @param odd ranks that differ from those that should equal them, in order
 * @param leakRanks ranks where memory grows without a ceiling
 * @param firstOom who is out of memory first if it goes on so; null where nobody is, or nobody knows when
 * @param imbalance the largest peak as a multiple of the mean peak; 0 where there is none
 * @param parallelism what the job seems to share out among its ranks
 * @param missing ranks of which there is no file, as far as the numbers of the others tell
 * @param unreadable files that could not be read, or not to their end
 * @param replaced files of which a later one of the same rank is there
 * @param findings what leaks, each once with its ranks; their inputs are places in {@code ranks}
 * @param lines the lines that hold most, and how much in each rank
 */
public record JobComparison(
        String schema,
        Tool tool,
        @Json.Serializer(UnknownIfZero.class) long deviceBytes,
        List<Rank> ranks,
        List<Group> groups,
        List<Odd> odd,
        List<Integer> leakRanks,
        @Nullable FirstOom firstOom,
        double imbalance,
        Parallelism parallelism,
        List<Integer> missing,
        List<Unread> unreadable,
        List<Replaced> replaced,
        List<Finding> findings,
        List<LineAcross> lines) {
    /** The schema of this as JSON. */
    public static final String SCHEMA = "leakline.ranks/1";

    /** Peaks whose largest is above the mean by less than this are even: no change of the job would gain anything. */
    private static final double EVEN = 0.01;

    /** A copy with other findings. */
    public JobComparison withFindings(List<Finding> others) {
        return new JobComparison(
                schema,
                tool,
                deviceBytes,
                ranks,
                groups,
                odd,
                leakRanks,
                firstOom,
                imbalance,
                parallelism,
                missing,
                unreadable,
                replaced,
                others,
                lines);
    }

    /**
     * A rank.
     *
     * @param rank its number in the job
     * @param host the folder of its machine, empty where files name none
     * @param file its recording, from the folder on that all files have in common
     * @param peak the most that was held at once
     * @param reserved what the allocator had from the driver at the end
     * @param end what was held at the end
     * @param steps whole steps
     * @param group the place of its group among the groups
     * @param composition what its peak is for, the most first
     * @param note what its recording lacks beside those of the others; empty where nothing
     */
    public record Rank(
            int rank,
            String host,
            String file,
            long peak,
            long reserved,
            long end,
            int steps,
            int group,
            List<Peak.Use> composition,
            String note) {}

    /**
     * Ranks that do the same.
     *
     * @param ranks their numbers
     * @param peak the largest of their peaks
     * @param part the model that they hold, as a number that all groups with the same model have
     * @param modelBytes parameters and optimizer state
     * @param isOdd whether they differ from those that they should equal
     */
    public record Group(List<Integer> ranks, long peak, int part, long modelBytes, boolean isOdd) {
        /** The ranks in words. */
        @Json.Property("label")
        public String label() {
            return (ranks.size() == 1 ? "rank " : "ranks ") + NumberRanges.of(ranks);
        }
    }

    /** Ways in which a rank differs from its peers. */
    public enum OddKind {
        /** Memory grows at a line, and does not in its peers. */
        LEAK,
        /** It holds another model beside that of its peers. */
        EXTRA_MODEL,
        /** It runs the model where its peers do not, and what that makes is live at once. */
        EXTRA_RUN,
        /** It allocates blocks of the sizes of its parameters where its peers do not. */
        GATHER,
        /** The lines of its model hold a multiple of what they hold in its peers. */
        LARGER_INPUT,
        /** It holds something when steps have ended that its peers have freed by then, or do not have. */
        KEPT,
        /** It allocates at a line where its peers do not. */
        EXTRA_LINE,
        /** It holds more at lines where its peers do the same. */
        MORE
    }

    /**
     * A rank that differs from those that it should equal.
     *
     * @param rank its number
     * @param kind how
     * @param site the line that holds more
     * @param bytes how much more it holds there than its peers, each at its most
     * @param group the place among the groups of its peers
     * @param call the line through which most of the difference was allocated; null where that is the site
     * @param callBytes how much that is
     * @param ratio how many times as much as its peers it holds there, of larger inputs through the call; 0 where that tells nothing
     * @param activeSteps steps in which it allocates there
     * @param steps steps of its recording
     * @param bytesPerStep how fast it grows, 0 where it does not
     * @param lines all lines that hold notably more
     */
    public record Odd(
            int rank,
            OddKind kind,
            Site site,
            long bytes,
            int group,
            @Nullable Site call,
            long callBytes,
            double ratio,
            int activeSteps,
            int steps,
            double bytesPerStep,
            List<LineDifference> lines) {
        /** Why, as far as can be told, in a sentence without its subject and full stop. */
        @Json.Property("why")
        public String why() {
            return OddLines.why(this);
        }

        /** The difference in a sentence. */
        @Json.Property("sentence")
        public String sentence() {
            return OddLines.sentence(this);
        }
    }

    /** A line at which a rank holds more than its peers, each at its most. */
    public record LineDifference(Site site, long bytes, long peers) {}

    /**
     * The end of the job's memory.
     *
     * @param rank whose device is full first
     * @param steps in how many more steps; 0 where a request has failed already
     * @param bytesPerStep what is taken from the driver for each step
     * @param ranks those of which the same can be said as far as was measured, that rank among them
     * @param failure the request of that rank that failed; null where none did, or nobody kept it
     */
    public record FirstOom(
            int rank,
            long steps,
            double bytesPerStep,
            List<Integer> ranks,
            @Nullable FailedRequest failure) {
        /** Returns whether a request has failed already. */
        public boolean hasFailed() {
            return steps == 0;
        }

        /** That in words. */
        @Json.Property("sentence")
        public String sentence() {
            return OddLines.end(this);
        }
    }

    /** Ways to share a job out among ranks. */
    public enum Sharing {
        /** All hold the same. */
        SAME,
        /** Neighbours hold stages. */
        PIPELINE,
        /** Every so many ranks the same share comes again. */
        TENSOR,
        /** Stages, of which each is shared once more. */
        PIPELINE_AND_TENSOR,
        /** Several models, in no order that is known. */
        OTHER
    }

    /**
     * A guess at what the ranks share, from which of them hold the same model.
     *
     * @param sharing the kind
     * @param stages parts one after the other; 1 where there are none
     * @param shares parts within neighbours; 1 where there are none
     * @param ranksPerStage neighbouring ranks of a part, all where there is one part
     */
    public record Parallelism(Sharing sharing, int stages, int shares, int ranksPerStage) {
        /** The guess in a sentence. */
        @Json.Property("sentence")
        public String sentence() {
            return switch (sharing) {
                case SAME -> "All ranks hold a model of the same size: probably data parallel, or equal shards.";
                case PIPELINE ->
                    (ranksPerStage == 1
                                    ? "The first and the last rank hold other parts of the model than their neighbours"
                                    : "Neighbouring ranks hold the same part of the model")
                            + ": probably a pipeline of " + Numbers.counted(stages, "stage") + ".";
                case TENSOR ->
                    "The parts of the model repeat every " + shares + " ranks: probably tensor or expert parallel over "
                            + shares + ".";
                case PIPELINE_AND_TENSOR ->
                    "The parts of the model repeat within blocks of ranks: probably a pipeline of "
                            + Numbers.counted(stages, "stage") + ", each shared by " + shares + " ranks.";
                case OTHER -> "Ranks hold models of different sizes, in no order that tells what is shared.";
            };
        }
    }

    /** A file that could not be read: its rank, -1 where that is not known, and why. */
    public record Unread(int rank, String file, String reason) {}

    /** A file that a later one of the same rank replaces. */
    public record Replaced(int rank, String file, String by) {}

    /**
     * A line in all ranks, in the order of {@code ranks}.
     *
     * @param site the line
     * @param bytes the most that it held in each
     * @param floor what of that is live when the last step ends
     */
    public record LineAcross(Site site, List<Long> bytes, List<Long> floor) {}

    /** The most important fact about the job, in a sentence or two. */
    @Json.Property("headline")
    public String headline() {
        return OddLines.headline(this);
    }

    /** The largest peak. */
    public long largestPeak() {
        return ranks.stream().mapToLong(Rank::peak).max().orElse(0);
    }

    /** How unequal peaks are, in a sentence. */
    @Json.Property("balance")
    public String balance() {
        if (ranks.isEmpty()) {
            return "No rank could be read.";
        }
        String largest = "The largest peak is " + ByteSize.format(largestPeak());
        return imbalance - 1 < EVEN
                ? largest + ", and the peaks are even."
                : largest + ", " + Numbers.percent(imbalance - 1) + " above the mean.";
    }
}
