package dev.leakline.detect.room;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.Recorder;
import dev.leakline.evidence.Evidence;
import dev.leakline.evidence.RequestSites;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.result.Site;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds failed requests, by site; {@link RequestSites} says whose they are. */
final class FailureFinder {
    /** The key that only events of failed requests have. */
    private static final String FREE_KEY = "device_free";
    /**
     * A program that dies of the error allocates nothing more, or a few blocks while it cleans up: a last checkpoint, a metric. One that
     * goes on allocates this many within its next step.
     */
    private static final int SURVIVED = 100;

    /** Lines that are explained: who fails at more has one reason for all of them, which the last ones show. */
    private static final int MOST = 5;

    /** The requests of a site that failed: the first, and the last. */
    private static final class Request {
        private final Site site;
        private final int first;
        private int event;
        private int stack;
        private int count;

        private Request(Site site, int first) {
            this.site = site;
            this.first = first;
        }
    }

    private final Evidence evidence;
    private final DeviceEvents events;
    private final RequestSites sites;
    private final Map<Site, Request> bySite = new LinkedHashMap<>();

    private FailureFinder(Evidence evidence) {
        this.evidence = evidence;
        this.events = evidence.lifetimes().events();
        this.sites = new RequestSites(evidence);
    }

    /** The failures of a device, the last first. */
    static List<RepeatedFailure> find(Evidence evidence) {
        boolean hasAny =
                evidence.columns().eventKeys.contains(FREE_KEY) || evidence.columns().recorder == Recorder.PROFILER;
        return hasAny ? new FailureFinder(evidence).find() : List.of();
    }

    private List<RepeatedFailure> find() {
        for (IntCursor request : events.failed()) {
            take(request.value);
        }
        return bySite.values().stream()
                .sorted(Comparator.comparingInt((Request request) -> -request.event))
                .limit(MOST)
                .map(this::failure)
                .toList();
    }

    private void take(int event) {
        Request request = bySite.computeIfAbsent(sites.of(event), site -> new Request(site, event));
        request.event = event;
        request.stack = evidence.sites().stackOfRequest(event);
        request.count++;
    }

    private RepeatedFailure failure(Request request) {
        int event = request.event;
        long free = evidence.columns().events.deviceFree(events.row(event));
        return new RepeatedFailure(
                event, request.count, request.site, request.stack, events.size(event), free, isSurvived(request));
    }

    /** Returns whether the program went on, after this failure or an earlier one of the line: then it catches the errors of that, the last one too. */
    private boolean isSurvived(Request request) {
        return evidence.lifetimes().births(request.first + 1, events.count()) >= SURVIVED;
    }

    /**
     * The failed requests of one site. The last of them speaks for all: what came before was met again, or was retried.
     *
     * @param event the event of the last
     * @param count how many
     * @param site the line that asked
     * @param stack the stack that tells most about it
     * @param size the requested bytes, rounded as the allocator does
     * @param deviceFree the bytes that the device had free, {@link #UNKNOWN} where the recording does not say
     * @param isSurvived whether the program went on
     */
    record RepeatedFailure(int event, int count, Site site, int stack, long size, long deviceFree, boolean isSurvived) {
        /** The free bytes where the recording does not say. */
        static final long UNKNOWN = -1;

        /** Returns whether the recording says what the device had free. */
        boolean knowsFree() {
            return deviceFree != UNKNOWN;
        }
    }
}
