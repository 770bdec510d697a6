package dev.leakline.watch.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.ProcessSample;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.Rung;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.text.ByteSize;
import dev.leakline.watch.WatchListener;
import dev.leakline.watch.WatchSamples;
import dev.leakline.watch.WatchedProcess;
import dev.leakline.watch.Watcher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class LadderTest {
    private final List<String> taken = new ArrayList<>();
    private final List<WatchEvent> events = new ArrayList<>();
    private final List<String> trouble = new ArrayList<>();

    /** What a process shows that holds so much. */
    private final class Shown implements Looks {
        private final long allocated;
        private final long reserved;

        Shown(long allocated, long reserved) {
            this.allocated = allocated;
            this.reserved = reserved;
        }

        @Override
        public Light light(int pid) throws IOException {
            taken.add("light " + pid);
            if (allocated < 0) {
                throw new IOException("it is no Python");
            }
            return new Light(allocated, reserved, List.of(Path.of("light.pickle")));
        }

        @Override
        public Held holders(int pid) {
            taken.add("holders " + pid);
            return new Held("Trainer.losses", List.of(Path.of("a.holders")));
        }

        @Override
        public Recorded history(int pid, Duration length) throws IOException {
            taken.add("history " + pid);
            throw new IOException("it waits");
        }
    }

    private void watch(Looks looks) throws Exception {
        watch(looks, true, _ -> {});
    }

    private void watch(Looks looks, boolean isUnasked, Consumer<Ladder> first) throws Exception {
        Ladder ladder = new Ladder(looks, isUnasked, trouble::add);
        first.accept(ladder);
        Watcher watcher = new Watcher(List.of(ladder, new WatchListener() {
            @Override
            public void changed(WatchedProcess process, WatchEvent event) {
                if (event.cause() != null) {
                    events.add(event);
                }
            }
        }));
        for (List<ProcessSample> moment : WatchSamples.moments()) {
            watcher.look(moment, true);
            while (ladder.isClimbing()) { // looks take seconds, and all these samples none
                Thread.sleep(1);
                ladder.looked(watcher);
            }
        }
        ladder.close();
        watcher.look(WatchSamples.moments().getLast(), true);
        assertThat(watcher.processes())
                .filteredOn(process -> process.pid() == 4242)
                .allMatch(process -> process.now().cause() == null == events.isEmpty());
    }

    @Test
    void aLeakOfTensorsIsFollowedToItsHolder() throws Exception {
        watch(new Shown(14 * ByteSize.GIB, 15 * ByteSize.GIB));
        assertThat(taken).containsExactly("light 4242", "holders 4242", "history 4242");
        assertThat(events).hasSize(1);
        WatchEvent.Cause cause = events.getFirst().cause();
        assertThat(cause).isNotNull();
        assertThat(cause.rung()).isEqualTo(Rung.HOLDERS);
        assertThat(cause.holder()).isEqualTo("Trainer.losses");
        assertThat(cause.files()).containsExactly("light.pickle", "a.holders");
        assertThat(events.getFirst().line()).endsWith("held by Trainer.losses");
        assertThat(trouble).hasSize(1).first().asString().contains("it waits");
    }

    @Test
    void whereNobodyAllowedItOnlyWhatIsAskedForIsLookedInto() throws Exception {
        Shown shown = new Shown(14 * ByteSize.GIB, 15 * ByteSize.GIB);
        watch(shown, false, _ -> {});
        assertThat(taken).isEmpty();
        watch(shown, false, ladder -> {
            ladder.ask(777);
            ladder.ask(4242);
        });
        assertThat(taken).containsExactly("light 4242", "holders 4242", "history 4242");
        assertThat(events.stream().map(WatchEvent::state)).containsExactly(State.GROWING, State.GROWING, State.FIRING);
    }

    @Test
    void whatTensorsDoNotHoldIsNotLookedForInThem() throws Exception {
        watch(new Shown(ByteSize.GIB, 15 * ByteSize.GIB));
        watch(new Shown(ByteSize.GIB, 2 * ByteSize.GIB));
        assertThat(taken).containsExactly("light 4242", "light 4242");
        assertThat(events.stream().map(WatchEvent::line))
                .satisfiesExactly(
                        line -> assertThat(line).contains("its cache grows, no tensor is kept"),
                        line -> assertThat(line).contains("outside of PyTorch's allocator"));
    }

    @Test
    void aProcessThatCannotBeEnteredIsToldOnce() throws Exception {
        watch(new Shown(-1, -1));
        assertThat(taken).containsExactly("light 4242");
        assertThat(trouble).hasSize(1).first().asString().contains("4242", "no Python");
    }
}
