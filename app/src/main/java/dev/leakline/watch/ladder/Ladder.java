package dev.leakline.watch.ladder;

import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.Cause;
import dev.leakline.result.WatchEvent.Resource;
import dev.leakline.result.WatchEvent.Rung;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.text.ByteSize;
import dev.leakline.watch.WatchListener;
import dev.leakline.watch.WatchedProcess;
import dev.leakline.watch.Watcher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why processes leak, by looks that cost them more and more: what the allocator holds, who holds each tensor, a minute of allocations.
 * Each is taken only where the one before says that it may answer, one process at a time, and each process once. All is done in a
 * thread of its own: the watch goes on meanwhile.
 */
public final class Ladder implements WatchListener, AutoCloseable {
    /** For how long allocations are recorded: a leak that is worth an alert keeps something in some steps or requests of a minute. */
    public static final Duration RECORDING = Duration.ofMinutes(1);

    private static final double HOUR = 3600;
    /** The share of the growth that must fit where it is looked for. */
    private static final double MOST = 0.5;

    private final Looks looks;
    private final boolean isUnasked;
    private final Consumer<String> trouble;
    private final Queue<Long> asked = new ConcurrentLinkedQueue<>();
    private final Set<WatchedProcess> seen = Collections.newSetFromMap(new WeakHashMap<>());
    private final Queue<Map.Entry<WatchedProcess, Cause>> found = new ConcurrentLinkedQueue<>();
    private @Nullable Thread climbing;

    /**
     * A ladder.
     *
     * @param isUnasked whether it looks into each process that leaks, or only into those that somebody asks for
     * @param trouble is told why a process cannot be looked into
     */
    public Ladder(Looks looks, boolean isUnasked, Consumer<String> trouble) {
        this.looks = looks;
        this.isUnasked = isUnasked;
        this.trouble = trouble;
    }

    @Override
    public void looked(Watcher watcher) throws IOException {
        for (Map.Entry<WatchedProcess, Cause> one = found.poll(); one != null; one = found.poll()) {
            if (watcher.processes().contains(one.getKey()) && grows(one.getKey())) {
                watcher.explain(one.getKey(), one.getValue());
            }
        }
        if (!isClimbing()) {
            watcher.processes().stream()
                    .filter(this::isWanted)
                    .filter(process -> grows(process) && process.now().resource() == Resource.DEVICE)
                    .findFirst()
                    .ifPresent(this::begin);
        }
    }

    /** Has a process looked into, if its GPU memory grows; again, if it was before. Any thread may ask. */
    public void ask(long pid) {
        asked.add(pid);
    }

    private boolean isWanted(WatchedProcess process) {
        boolean isDue = isUnasked && process.state() == State.FIRING && !seen.contains(process);
        return isDue || asked.contains(process.pid());
    }

    /** Only what PyTorch's allocator may hold is looked for, and while it grows. */
    private static boolean grows(WatchedProcess process) {
        return process.state() == State.FIRING || process.state() == State.GROWING;
    }

    /** Returns whether there will be an answer soon. */
    public boolean isClimbing() {
        return (climbing != null && climbing.isAlive()) || !found.isEmpty();
    }

    private void begin(WatchedProcess process) {
        seen.add(process);
        asked.remove(process.pid());
        WatchEvent now = process.now();
        climbing = Thread.ofPlatform().daemon().name("leakline-ladder").start(() -> {
            try {
                found.add(Map.entry(process, climb(now)));
            } catch (IOException | RuntimeException e) {
                trouble.accept("process " + now.pid() + " cannot be looked into: " + e.getMessage());
            }
        });
    }

    private Cause climb(WatchEvent now) throws IOException {
        int pid = Math.toIntExact(now.pid());
        double grown = now.bytesPerHour() * (now.t() - now.since()) / HOUR;
        Looks.Light light = looks.light(pid);
        if (light.allocated() < MOST * grown) {
            return elsewhere(light, grown);
        }
        List<Path> files = new ArrayList<>(light.files());
        Looks.Held held = looks.holders(pid);
        files.addAll(held.files());
        try {
            Looks.Recorded recorded = looks.history(pid, RECORDING);
            files.addAll(recorded.files());
            return Causes.of(recorded.result(), held.title(), files);
        } catch (IOException e) {
            trouble.accept("the allocations of process " + pid + " were not recorded: " + e.getMessage());
            return Causes.of(null, held.title(), files);
        }
    }

    /** Tensors hold too little for what has grown. */
    private static Cause elsewhere(Looks.Light light, double grown) {
        boolean isCache = light.reserved() - light.allocated() >= MOST * grown;
        String says = isCache
                ? "PyTorch has reserved " + ByteSize.format(light.reserved()) + ", of which tensors hold "
                        + ByteSize.format(light.allocated()) + ": its cache grows, no tensor is kept"
                : "PyTorch holds only " + ByteSize.format(light.reserved()) + ": what grows belongs to a library"
                        + " outside of PyTorch's allocator";
        return new Cause(
                Rung.SNAPSHOT,
                null,
                null,
                says,
                light.files().stream().map(Path::toString).toList());
    }

    /** A look that is under way is left to its end, so that nothing stays in the job; it is not waited for longer than it may take. */
    @Override
    public void close() {
        Thread last = climbing;
        if (last != null && last.isAlive()) {
            trouble.accept("a look into a process is brought to its end, so that nothing stays in it");
        }
        try {
            if (last != null) {
                last.join(RECORDING.multipliedBy(2));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
