package dev.leakline.detect;

import dev.leakline.allocator.SizeRules;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryExplanation.SnapshotFailure;
import dev.leakline.result.OutOfMemoryLog;
import dev.leakline.result.OutOfMemoryLog.Found;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Explains the messages of logs, and joins those that are about the same failure: a warning, its error, the request in a snapshot. */
public final class MessageExplainer {
    private final List<SnapshotFailure> failures;

    private MessageExplainer(List<SnapshotFailure> failures) {
        this.failures = failures;
    }

    /** Explains all messages; {@code snapshots} is what the snapshots of the same job say, or null. */
    public static List<OutOfMemoryExplanation> explain(List<OutOfMemoryLog> logs, @Nullable AnalysisResult snapshots) {
        MessageExplainer explainer = new MessageExplainer(failures(snapshots));
        List<OutOfMemoryExplanation> explanations = new ArrayList<>();
        for (int input = 0; input < logs.size(); input++) {
            explainer.explain(input, logs.get(input).found(), explanations);
        }
        return List.copyOf(explanations);
    }

    private static List<SnapshotFailure> failures(@Nullable AnalysisResult snapshots) {
        List<SnapshotFailure> failures = new ArrayList<>();
        for (DeviceResult device : snapshots == null ? List.<DeviceResult>of() : snapshots.devices()) {
            for (FailedRequest request : device.outOfMemory()) {
                failures.add(new SnapshotFailure(device.input(), device.device(), request));
            }
        }
        return failures;
    }

    private void explain(int input, List<Found> found, List<OutOfMemoryExplanation> explanations) {
        Set<Found> joined = new HashSet<>();
        List<OutOfMemoryExplanation> own = new ArrayList<>();
        for (Found one : found) {
            if (one.message().form() != Form.WARNING) {
                Found warning = warning(one.message(), found);
                if (warning != null) {
                    joined.add(warning);
                }
                own.add(explain(input, one, warning));
            }
        }
        for (Found one : found) {
            if (one.message().form() == Form.WARNING && !joined.contains(one)) {
                own.add(explain(input, one, null));
            }
        }
        own.sort(java.util.Comparator.comparingLong(
                one -> one.found().places().getFirst().offset()));
        explanations.addAll(own);
    }

    private OutOfMemoryExplanation explain(int input, Found found, @Nullable Found warning) {
        OutOfMemoryMessage message = found.message();
        MessageSizes sizes = new MessageSizes(message);
        List<SnapshotFailure> same =
                failures.stream().filter(failure -> isSame(message, failure)).toList();
        MessageDiagnosis diagnosis = new MessageDiagnosis(message, sizes);
        return new OutOfMemoryExplanation(
                input,
                found,
                diagnosis.kind(),
                diagnosis.title(),
                diagnosis.reasons(),
                sizes.derived(),
                sizes.checks(),
                warning,
                same,
                MessageAdvice.of(message, sizes, diagnosis.kind(), !same.isEmpty()));
    }

    /** The last warning before an error whose exact sizes are printed as the error prints them. */
    private static @Nullable Found warning(OutOfMemoryMessage error, List<Found> found) {
        return found.stream()
                .filter(one -> one.message().form() == Form.WARNING && isSame(error, one.message()))
                .reduce((_, last) -> last)
                .orElse(null);
    }

    private static boolean isSame(OutOfMemoryMessage error, OutOfMemoryMessage warning) {
        return isSameDevice(error, warning.ordinal())
                && mayEqual(error, warning, Meaning.REQUESTED)
                && mayEqual(error, warning, Meaning.FREE)
                && mayEqual(error, warning, Meaning.TOTAL);
    }

    private static boolean mayEqual(OutOfMemoryMessage first, OutOfMemoryMessage second, Meaning meaning) {
        PrintedSize one = first.size(meaning);
        PrintedSize other = second.size(meaning);
        return one != null && other != null && one.mayEqual(other);
    }

    private static boolean isSameDevice(OutOfMemoryMessage message, int device) {
        return message.ordinal() < 0 || device < 0 || message.ordinal() == device;
    }

    /**
     * Whether a request in a snapshot may be the one that a message is about. The message has the segment that the driver was asked for,
     * the snapshot the rounded request; where {@code large_segment_size_mb} or a backend that has no segments makes them the same, that counts too.
     */
    private static boolean isSame(OutOfMemoryMessage message, SnapshotFailure failure) {
        PrintedSize asked = message.size(Meaning.REQUESTED);
        PrintedSize free = message.size(Meaning.FREE);
        long request = failure.request().requestedBytes();
        return asked != null
                && free != null
                && isSameDevice(message, failure.device())
                && free.covers(failure.request().deviceFreeBytes())
                && (asked.covers(SizeRules.segmentSize(request)) || asked.covers(request));
    }
}
