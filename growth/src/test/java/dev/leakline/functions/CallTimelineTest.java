package dev.leakline.functions;

import static dev.leakline.functions.Job.MB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.functions.CallTimeline.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CallTimelineTest {
    @Test
    void callsAreInTheOrderInWhichTheyBeganWhateverTheFileSays() {
        Job job = new Job(100 * MB).call("a", 10 * MB).call("b", -10 * MB).call("c", 5 * MB);
        List<ProfiledCall> mixed = new ArrayList<>(job.calls());
        Collections.reverse(mixed);
        CallTimeline timeline = timeline(mixed);
        assertThat(timeline.starts().keySet()).containsExactly("a", "b", "c");
        assertThat(levels(timeline)).containsExactly(100L, 110L, 110L, 100L, 100L, 105L);
        assertThat(timeline.lastFunction()).isEqualTo("c");
        assertThat(timeline.functionBefore(0)).isEmpty();
        assertThat(timeline.functionBefore(4)).isEqualTo("b");
    }

    @Test
    void whatACallAddsIsLessThanWhatTheCallsWithinItAdd() {
        Job job = new Job(100 * MB);
        job.call(
                "outer",
                1 * MB,
                0,
                () -> job.call("a", 10 * MB).call("a", 10 * MB).call("b", -5 * MB));
        CallTimeline timeline = timeline(job.calls());
        assertThat(timeline.moved(0, timeline.size() - 1))
                .containsEntry(new Part("outer", false), MB)
                .containsEntry(new Part("a", false), 20 * MB)
                .containsEntry(new Part("b", false), -5 * MB)
                .hasSize(3);
    }

    @Test
    void whatChangesWhileNoCallIsUnderWayIsItsOwnPart() {
        Job job = new Job(100 * MB)
                .call("a", 0)
                .between(7 * MB)
                .call("b", 0)
                .between(-2 * MB)
                .call("a", 0);
        CallTimeline timeline = timeline(job.calls());
        assertThat(timeline.moved(0, timeline.size() - 1))
                .containsEntry(new Part("a", true), 7 * MB)
                .containsEntry(new Part("b", true), -2 * MB);
    }

    @Test
    void whereClocksTellNothingApartTheFileDoes() {
        List<ProfiledCall> calls = new Job(100 * MB)
                .call("a", 10 * MB)
                .call("a", 10 * MB)
                .call("a", 10 * MB)
                .calls();
        List<ProfiledCall> same = calls.stream()
                .map(call -> new ProfiledCall(
                        call.function(), 0, at(7, call.before()), at(7, call.after()), call.peak(), 0, 0, 0, 0, 1))
                .toList();
        assertThat(levels(timeline(same))).containsExactly(100L, 110L, 110L, 120L, 120L, 130L);
    }

    /** Of calls of any nesting, all that moves is what is more in the end. */
    @Test
    void nothingCountsTwice() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Job job = new Job(1000 * MB);
            for (int call = 0; call < 10; call++) {
                nest(job, random, 3);
            }
            CallTimeline timeline = timeline(job.calls());
            long moved = timeline.moved(0, timeline.size() - 1).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertThat(moved).isEqualTo(timeline.level(timeline.size() - 1) - timeline.level(0));
        }
    }

    private static void nest(Job job, Random random, int depth) {
        job.between(random.nextInt(-3, 4) * MB);
        job.call("f" + random.nextInt(4), random.nextInt(-5, 6) * MB, 0, () -> {
            for (int inner = 0; depth > 0 && inner < random.nextInt(3); inner++) {
                nest(job, random, depth - 1);
            }
        });
    }

    private static ProfiledCall.Sample at(double time, ProfiledCall.Sample sample) {
        return new ProfiledCall.Sample(
                time,
                sample.allocated(),
                sample.reserved(),
                sample.mostAllocated(),
                sample.mostReserved(),
                sample.active(),
                sample.inactive(),
                sample.host(),
                sample.device(),
                sample.operation());
    }

    private static CallTimeline timeline(List<ProfiledCall> calls) {
        return new CallTimeline(CallTimeline.inOrder(calls));
    }

    private static List<Long> levels(CallTimeline timeline) {
        List<Long> levels = new ArrayList<>();
        for (int sample = 0; sample < timeline.size(); sample++) {
            levels.add(timeline.level(sample) / MB);
        }
        return levels;
    }
}
