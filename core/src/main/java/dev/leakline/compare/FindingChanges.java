package dev.leakline.compare;

import dev.leakline.compare.Pairing.Pair;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison.Basis;
import dev.leakline.result.Comparison.Change;
import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Growth;
import dev.leakline.result.StepSummary;
import dev.leakline.text.ByteSize;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the change of each finding. The same bug has the same fingerprint in every run; where a fingerprint has changed, because the
 * calls that lead to the line have, the owner tells, else kind and line, else the line that keeps it. What is left of one fingerprint is the same under another owner: a
 * holder that was renamed. A rate is held for another where the intervals of the two have nothing in common, a
 * size where it differs by more than sizes may be wrong by.
 */
final class FindingChanges {
    /** Where a recording cannot be replayed, sizes are told to within 6 % (see ARCHITECTURE): less than that is no difference. */
    static final double SIZE_ERROR = 0.06;

    private final AnalysisResult before;
    private final AnalysisResult after;

    FindingChanges(AnalysisResult before, AnalysisResult after) {
        this.before = before;
        this.after = after;
    }

    /** All findings of both, what has to be acted on first. */
    List<FindingChange> list() {
        Pairing<Finding> pairing = new Pairing<>(before.findings(), after.findings())
                .by(finding -> List.of(place(finding), id(finding), owner(finding), line(finding)))
                .by(finding -> List.of(id(finding), owner(finding)))
                .byUnique(finding -> finding.holders().isEmpty() ? finding : owner(finding));
        byOtherOwners(pairing);
        return pairing
                .by(finding -> ownerless(List.of(place(finding), id(finding), line(finding)), finding))
                .by(finding -> ownerless(List.of(place(finding), id(finding)), finding))
                .by(FindingChanges::id)
                .by(finding -> ownerless(List.of(place(finding), finding.kind(), line(finding)), finding))
                .by(finding -> finding.keptAt() == null ? finding : ownerless(finding.keptAt(), finding))
                .pairs()
                .stream()
                .map(this::change)
                .sorted(Comparator.comparing(FindingChange::change))
                .toList();
    }

    /** Pairs what is left of a finding whose first owner keeps nothing any more with it. */
    private void byOtherOwners(Pairing<Finding> pairing) {
        long most = before.findings().stream()
                .mapToLong(finding -> finding.holders().size())
                .max()
                .orElse(0);
        for (int i = 1; i < most; i++) {
            int rank = i;
            pairing.by(
                    finding -> owners(finding).skip(rank).findFirst().orElse(finding),
                    finding -> owners(finding).findFirst().orElse(finding));
        }
    }

    /** The owners of a finding, those of most first; none where they are not known. */
    static Stream<Object> owners(Finding finding) {
        return finding.holders().stream().map(holder -> holder.group().signature());
    }

    private static Object place(Finding finding) {
        return List.of(finding.input(), finding.device());
    }

    /** The fingerprint without the number that tells several findings in one function apart; it changes when one of them goes. */
    private static Object id(Finding finding) {
        return finding.id().replaceFirst("-\\d+$", "");
    }

    /** The owner of most of it: a change that copies the memory at another line leaves it where it was. Without owner it is nobody's. */
    private static Object owner(Finding finding) {
        return owners(finding).findFirst().orElse("nobody");
    }

    /** A key of findings that may be the same whoever keeps the memory: not where dumps on both sides name somebody else. */
    private Object ownerless(Object key, Finding finding) {
        boolean areKnown =
                hasOwners(before) && hasOwners(after) && !finding.holders().isEmpty();
        return areKnown ? finding : key;
    }

    private static boolean hasOwners(AnalysisResult result) {
        return result.findings().stream().anyMatch(finding -> !finding.holders().isEmpty());
    }

    private static Object line(Finding finding) {
        return List.of(
                finding.site().kind(),
                finding.site().frame().fileName(),
                finding.site().frame().line(),
                finding.site().frame().function());
    }

    private FindingChange change(Pair<Finding> pair) {
        Finding was = pair.before();
        Finding is = pair.after();
        if (was == null || is == null) {
            return new FindingChange(is == null ? Change.GONE : Change.NEW, Basis.PRESENCE, was, is);
        }
        if (was.growth() == null || is.growth() == null) {
            return new FindingChange(bySize(was.bytes(), is.bytes()), Basis.BYTES, was, is);
        }
        boolean areStepsAlike = areAlike(steps(before, was), steps(after, is));
        return areStepsAlike
                ? new FindingChange(byRate(was, was.growth(), is, is.growth()), Basis.RATE, was, is)
                : new FindingChange(Change.UNCLEAR, Basis.STEPS_DIFFER, was, is);
    }

    private static Change bySize(long was, long is) {
        double error = SIZE_ERROR * (double) Math.max(was, is);
        return Math.abs((double) is - (double) was) <= error ? Change.SAME : is > was ? Change.WORSE : Change.BETTER;
    }

    /** Rates that read alike, with three digits, are alike, however narrow their intervals are. */
    private static Change byRate(Finding was, Growth slow, Finding is, Growth fast) {
        boolean doOverlap = slow.low() <= fast.high() && fast.low() <= slow.high();
        if (doOverlap || ByteSize.format(was.bytesPerStep()).equals(ByteSize.format(is.bytesPerStep()))) {
            return Change.SAME;
        }
        return is.bytesPerStep() > was.bytesPerStep() ? Change.WORSE : Change.BETTER;
    }

    private static @Nullable StepSummary steps(AnalysisResult result, Finding finding) {
        return result.devices().stream()
                .filter(device -> device.input() == finding.input() && device.device() == finding.device())
                .findFirst()
                .map(DeviceResult::steps)
                .orElse(null);
    }

    /** Returns whether a step means the same on both sides. */
    static boolean areAlike(@Nullable StepSummary was, @Nullable StepSummary is) {
        return was == null || is == null || (was.kind() == is.kind() && Objects.equals(was.meaning(), is.meaning()));
    }
}
