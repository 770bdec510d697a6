package dev.leakline.detect.room;

import dev.leakline.columns.Action;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.result.Site;
import dev.leakline.site.SiteFinder;
import dev.leakline.site.StackSites.Meaning;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the requests that could not be met, by site.
 *
 * <p>A backward pass asks from a thread without Python frames. Such a request belongs to the line that started the pass; it is
 * found by the rule that {@link SiteFinder} explains.
 */
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

    /** The last request of a site that failed. */
    private static final class Request {
        private final Site site;
        private int event;
        private int stack;
        private int count;

        private Request(Site site) {
            this.site = site;
        }
    }

    private final Evidence evidence;
    private final DeviceEvents events;
    private final Map<Site, Request> bySite = new LinkedHashMap<>();

    private FailureFinder(Evidence evidence) {
        this.evidence = evidence;
        this.events = evidence.lifetimes().events();
    }

    /** The failures of a device, the last first. */
    static List<RepeatedFailure> find(Evidence evidence) {
        boolean hasAny =
                evidence.columns().eventKeys.contains(FREE_KEY) || evidence.columns().recorder == Recorder.PROFILER;
        return hasAny ? new FailureFinder(evidence).find() : List.of();
    }

    private List<RepeatedFailure> find() {
        int call = StackTable.NONE;
        for (int event = 0; event < events.count(); event++) {
            Action action = events.action(event);
            int stack = events.stack(event);
            Meaning meaning = evidence.stacks().of(stack);
            if (action == Action.OOM) {
                take(event, meaning.hasPython() ? StackTable.NONE : call);
            }
            if (meaning.hasPython() && action != Action.FREE_REQUESTED && action != Action.FREE_COMPLETED) {
                call = callAfter(call, stack, meaning);
            }
        }
        return bySite.values().stream()
                .sorted(Comparator.comparingInt((Request request) -> -request.event))
                .limit(MOST)
                .map(this::failure)
                .toList();
    }

    /** The backward call that is running after an event with Python frames. */
    private int callAfter(int call, int stack, Meaning meaning) {
        if (meaning.isBackwardCall()) {
            return stack;
        }
        boolean isSameThread = call != StackTable.NONE
                && meaning.root() == evidence.stacks().of(call).root();
        return isSameThread ? StackTable.NONE : call;
    }

    private void take(int event, int call) {
        int stack = call == StackTable.NONE ? events.stack(event) : call;
        Site own = evidence.stacks().of(stack).site();
        Site site = call == StackTable.NONE ? own : new Site(Site.Kind.BACKWARD, own.frame());
        Request request = bySite.computeIfAbsent(site, _ -> new Request(site));
        request.event = event;
        request.stack = stack;
        request.count++;
    }

    private RepeatedFailure failure(Request request) {
        int event = request.event;
        long free = evidence.columns().events.deviceFree(events.row(event));
        return new RepeatedFailure(
                event, request.count, request.site, request.stack, events.size(event), free, isSurvived(event));
    }

    private boolean isSurvived(int failed) {
        int allocations = 0;
        for (int event = failed + 1; event < events.count() && allocations < SURVIVED; event++) {
            allocations += events.action(event) == Action.ALLOC ? 1 : 0;
        }
        return allocations >= SURVIVED;
    }
}
