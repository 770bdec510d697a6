package dev.leakline.oom;

import dev.leakline.finding.Opinion;
import dev.leakline.known.SizeRules;
import dev.leakline.result.AnalysisResult.Source;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryExplanation.SnapshotFailure;
import dev.leakline.result.OutOfMemoryLog.Found;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.result.OutOfMemoryMessage.Form;
import dev.leakline.result.OutOfMemoryMessage.Meaning;
import dev.leakline.result.PrintedSize;
import dev.leakline.source.FoundMessages;
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

    /** Explains the messages of all logs, in their order; {@code devices} is what the snapshots of the same job say. */
    public static List<OutOfMemoryExplanation> explain(List<FoundMessages> logs, List<DeviceResult> devices) {
        MessageExplainer explainer = new MessageExplainer(failures(devices));
        List<OutOfMemoryExplanation> explanations = new ArrayList<>();
        for (int log = 0; log < logs.size(); log++) {
            explainer.explain(log, logs.get(log).found(), explanations);
        }
        return List.copyOf(explanations);
    }

    /** Explains messages; null if none is about a failed request. */
    public static @Nullable Opinion opinion(List<OutOfMemoryExplanation> messages) {
        OutOfMemoryExplanation failure = messages.stream()
                .filter(message -> message.kind() != OutOfMemoryExplanation.Kind.RECOVERED)
                .findFirst()
                .orElse(null);
        if (failure == null) {
            return null;
        }
        boolean isInPieces = failure.kind() == OutOfMemoryExplanation.Kind.DEVICE_OOM_FRAGMENTATION;
        Verdict verdict = isInPieces ? Verdict.OOM_FRAGMENTATION : Verdict.OOM;
        return new Opinion(Source.MESSAGES, verdict, failure.title());
    }

    private static List<SnapshotFailure> failures(List<DeviceResult> devices) {
        List<SnapshotFailure> failures = new ArrayList<>();
        for (DeviceResult device : devices) {
            for (FailedRequest request : device.outOfMemory()) {
                failures.add(new SnapshotFailure(device.input(), device.device(), request));
            }
        }
        return failures;
    }

    private void explain(int log, List<Found> found, List<OutOfMemoryExplanation> explanations) {
        List<Found> warnings = found.stream()
                .filter(one -> one.message().form() == Form.WARNING)
                .toList();
        Set<Found> joined = new HashSet<>();
        List<OutOfMemoryExplanation> own = new ArrayList<>();
        for (Found one : found) {
            if (one.message().form() != Form.WARNING) {
                Found warning = warning(one.message(), warnings);
                if (warning != null) {
                    joined.add(warning);
                }
                own.add(explain(log, one, warning));
            }
        }
        for (Found one : warnings) {
            if (!joined.contains(one)) {
                own.add(explain(log, one, null));
            }
        }
        own.sort(java.util.Comparator.comparingLong(
                one -> one.found().places().getFirst().offset()));
        explanations.addAll(own);
    }

    private OutOfMemoryExplanation explain(int log, Found found, @Nullable Found warning) {
        OutOfMemoryMessage message = found.message();
        MessageSizes sizes = new MessageSizes(message);
        List<SnapshotFailure> same =
                failures.stream().filter(failure -> isSame(message, failure)).toList();
        MessageDiagnosis diagnosis = new MessageDiagnosis(message, sizes);
        return new OutOfMemoryExplanation(
                log,
                found,
                diagnosis.kind(),
                diagnosis.title(),
                diagnosis.reasons(),
                sizes.derived(),
                sizes.checks(),
                warning,
                same,
                MessageAdvice.of(message, sizes, diagnosis.kind(), diagnosis.advice(), !same.isEmpty()));
    }

    /** The last warning before an error whose exact sizes are printed as the error prints them. */
    private static @Nullable Found warning(OutOfMemoryMessage error, List<Found> warnings) {
        return warnings.stream()
                .filter(one -> isSame(error, one.message()))
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
     * Returns whether a request in a snapshot may be the one that a message is about. The message has the segment that was requested from the
     * driver,
     * the snapshot the rounded request; where {@code large_segment_size_mb} or a backend that has no segments makes them the same,
     * that counts too.
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
