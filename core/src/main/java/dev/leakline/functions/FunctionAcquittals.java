package dev.leakline.functions;

import dev.leakline.functions.Balance.Kept;
import dev.leakline.result.Acquittal;
import dev.leakline.result.Acquittal.Reason;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Ratchet.Shape;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;

/** What looks like a leak in the calls on a device and is none: what others give back, what was built up, what grew only at first. */
final class FunctionAcquittals {
    /** Functions that are named; those that take most say it all. */
    private static final int NAMED = 3;
    /** Who gives back nearly all of what another took, does so; the rest is a first call. */
    private static final double GIVEN_BACK = 0.9;
    /** Smaller growth nobody takes for a leak. */
    private static final long LEAST = ByteSize.MIB;

    private final CallTimeline timeline;
    private final LeakFinder leaks;

    FunctionAcquittals(CallTimeline timeline, LeakFinder leaks) {
        this.timeline = timeline;
        this.leaks = leaks;
    }

    List<Acquittal> list() {
        List<Acquittal> acquittals = new ArrayList<>();
        Balance.of(timeline.moved(0, timeline.size() - 1)).stream()
                .filter(this::isGivenBack)
                .limit(NAMED)
                .forEach(kept -> acquittals.add(givenBack(kept)));
        leaks.buildUps().stream().limit(NAMED).forEach(rounds -> acquittals.add(builtUp(rounds)));
        Rounds longest = leaks.longest();
        if (longest != null && leaks.leaks().isEmpty()) {
            add(longest, acquittals);
        }
        return acquittals;
    }

    private boolean isGivenBack(Kept kept) {
        return leaks.leaks().stream().noneMatch(leak -> leak.part().equals(kept.part()))
                && kept.giver() != null
                && !kept.giver().equals(kept.part())
                && kept.taken() >= LEAST
                && kept.taken() - kept.kept() >= GIVEN_BACK * kept.taken();
    }

    private static Acquittal givenBack(Kept kept) {
        String giver = kept.giver() == null ? "" : kept.giver().name();
        String text = kept.part().name() + " allocates " + ByteSize.format(kept.taken()) + " in all, and " + giver
                + " frees it";
        return Acquittal.at(kept.part().site(), Reason.PERIODIC, text, kept.taken());
    }

    private static Acquittal builtUp(Rounds rounds) {
        long[] floor = rounds.floor();
        long bytes = floor[floor.length - 1] - floor[0];
        String text = FunctionNames.quoted(rounds.function()) + " is called " + Numbers.counted(rounds.count(), "time")
                + " in a row and only loads: " + ByteSize.format(bytes) + " stay, and then other functions run";
        return Acquittal.at(new CallTimeline.Part(rounds.function(), false).site(), Reason.MODEL_STATE, text, bytes);
    }

    /** What the longest loop did instead of leaking. */
    private static void add(Rounds rounds, List<Acquittal> acquittals) {
        long[] floor = rounds.floor();
        Ratchet test = new Ratchet(floor, Ratchet.FEWEST_RISES);
        long bytes = floor[Math.min(test.lastStep(), floor.length - 1)] - floor[0];
        boolean isEarly = test.lastStep() <= floor.length / 2;
        if (bytes < LEAST || test.clicks().isEmpty() || !isEarly) {
            return;
        }
        CallTimeline.Part part = new CallTimeline.Part(rounds.function(), false);
        boolean isFilled = test.shape() == Shape.SATURATES;
        String when = "in the first " + Numbers.counted(test.lastStep(), "round") + " of " + part.name();
        String text = isFilled
                ? "what stays grew ever more slowly, by " + ByteSize.format(bytes) + " in all"
                : "what stays grew by " + ByteSize.format(bytes) + " " + when + ", and no more after that";
        acquittals.add(Acquittal.at(part.site(), isFilled ? Reason.BOUNDED_CACHE : Reason.WARM_UP, text, bytes));
    }
}
