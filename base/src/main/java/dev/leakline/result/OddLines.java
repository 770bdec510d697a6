package dev.leakline.result;

import dev.leakline.result.JobComparison.FirstOom;
import dev.leakline.result.JobComparison.Odd;
import dev.leakline.result.JobComparison.OddKind;
import dev.leakline.text.ByteSize;
import dev.leakline.text.NumberRanges;
import dev.leakline.text.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Sentences about the ranks of a job. */
final class OddLines {
    private OddLines() {}

    static String why(Odd odd) {
        return switch (odd.kind()) {
            case LEAK ->
                "memory grows there by " + ByteSize.format(odd.bytesPerStep()) + " per step, in its peers it does not";
            case EXTRA_MODEL -> "it holds another model, or a copy, beside that of its peers";
            case EXTRA_RUN ->
                "it runs the model" + from(odd) + " in " + activity(odd)
                        + ", its peers never do, and activations are kept" + inAll(odd)
                        + ": probably evaluation outside of torch.no_grad()";
            case GATHER ->
                "it allocates blocks of the sizes of its parameters" + from(odd) + " in " + activity(odd)
                        + ", its peers never do: probably it gathers or copies all parameters, as for a checkpoint";
            case LARGER_INPUT -> multiple(odd) + inAll(odd) + ": probably longer sequences or larger batches";
            case KEPT -> "it still holds that when a step has ended, its peers do not";
            case EXTRA_LINE -> "it allocates there" + from(odd) + " in " + activity(odd) + ", its peers never do";
            case MORE -> multiple(odd);
        };
    }

    private static String multiple(Odd odd) {
        String where = odd.kind() == OddKind.LARGER_INPUT && odd.call() != null
                ? "through the call at " + odd.call().frame().fileAndLine()
                : "there";
        return odd.ratio() > 0
                ? "it holds " + times(odd.ratio()) + " as much " + where + " as its peers"
                : "it holds more " + where + " than its peers";
    }

    private static String from(Odd odd) {
        return odd.call() == null ? "" : " by the call at " + odd.call().frame().fileAndLine();
    }

    private static String inAll(Odd odd) {
        return odd.call() == null ? "" : " (" + ByteSize.format(odd.callBytes()) + " more in all)";
    }

    private static String activity(Odd odd) {
        return odd.activeSteps() == 0 ? "set-up" : odd.activeSteps() + " of " + Numbers.counted(odd.steps(), "step");
    }

    private static String times(double ratio) {
        return String.format(Locale.ROOT, ratio < 9.95 ? "%.1f times" : "%.0f times", ratio);
    }

    static String sentence(Odd odd) {
        return "Rank " + odd.rank() + more(odd) + ": " + odd.why() + ".";
    }

    private static String more(Odd odd) {
        return " holds " + ByteSize.format(odd.bytes()) + " more than its peers " + at(odd.site());
    }

    private static String at(Site site) {
        return (site.isLine() ? "at " : "in ") + site.brief();
    }

    static String end(FirstOom first) {
        String several = "Ranks " + NumberRanges.of(first.ranks());
        boolean isAlone = first.ranks().size() <= 1;
        String in = " in about " + Numbers.counted(first.steps(), "step") + " after the end of ";
        if (first.hasFailed()) {
            return isAlone
                    ? "Rank " + first.rank() + " ran out of memory" + failure(first) + "."
                    : several + " ran out of memory" + (first.failure() == null ? "" : ", rank " + first.rank())
                            + failure(first) + ".";
        }
        return isAlone
                ? "Rank " + first.rank() + " is the first to run out of memory," + in + "its recording."
                : several + " run out of memory at about the same time," + in + "their recordings.";
    }

    private static String failure(FirstOom first) {
        return first.failure() == null
                ? ""
                : " " + at(first.failure().site()) + ", which requested "
                        + ByteSize.format(first.failure().bytes());
    }

    static String headline(JobComparison job) {
        if (job.ranks().isEmpty()) {
            return "No rank could be read.";
        }
        FirstOom end = job.firstOom();
        FirstOom failure = end != null && end.hasFailed() ? end : null;
        String failed = failure == null ? "" : failure.sentence() + " ";
        if (job.odd().isEmpty()) {
            return failed + same(job) + leaks(job);
        }
        Odd odd = job.odd().stream()
                .max(Comparator.comparingLong((Odd each) -> Math.max(each.bytes(), each.callBytes()))
                        .thenComparingInt(each -> -each.rank()))
                .orElseThrow();
        int others = job.odd().size() - 1;
        String more = others == 0
                ? ""
                : " " + Numbers.counted(others, "other rank") + (others == 1 ? " is" : " are") + " odd, too.";
        boolean isNamed = failure != null && failure.ranks().equals(List.of(odd.rank()));
        String subject = isNamed ? "It" : "Rank " + odd.rank();
        return failed + subject + more(odd) + cause(odd) + "." + more;
    }

    /** The probable cause, in a few words. */
    private static String cause(Odd odd) {
        return switch (odd.kind()) {
            case LEAK -> ", and it grows by " + ByteSize.format(odd.bytesPerStep()) + " per step";
            case EXTRA_MODEL -> ": another model, or a copy";
            case EXTRA_RUN -> ": probably evaluation outside of torch.no_grad()";
            case GATHER -> ": probably a gather or a copy of all parameters";
            case LARGER_INPUT -> ": probably longer sequences or larger batches";
            case KEPT -> ", and keeps it after the step";
            case EXTRA_LINE, MORE -> "";
        };
    }

    private static String same(JobComparison job) {
        int ranks = job.ranks().size();
        if (job.groups().size() == 1) {
            return ranks == 1
                    ? "There is one rank only; nothing to compare it with."
                    : "All " + Numbers.counted(ranks, "rank") + " do the same; the largest peak is "
                            + ByteSize.format(job.largestPeak()) + ".";
        }
        return Numbers.counted(ranks, "rank") + " in "
                + Numbers.counted(job.groups().size(), "group") + ", none of which is odd; the largest peak is "
                + ByteSize.format(job.largestPeak()) + ".";
    }

    private static String leaks(JobComparison job) {
        List<Integer> ranks = job.leakRanks();
        if (ranks.isEmpty()) {
            return "";
        }
        String who = ranks.size() == job.ranks().size()
                ? "All of them leak"
                : (ranks.size() == 1 ? "Rank " : "Ranks ")
                        + NumberRanges.of(ranks)
                        + (ranks.size() == 1 ? " leaks" : " leak");
        return " " + who + ", at " + job.findings().getFirst().site().brief() + ".";
    }
}
