package dev.leakline.watch;

import dev.leakline.columns.ProcessSample;
import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.Nvml;
import dev.leakline.nvml.NvmlDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Samples of this machine: of the given processes, or of all that hold memory of a GPU. Needs no privileges. A driver that fails leaves a gap in
 * what is known of the devices, ends no process, and is asked again. Samples that come too late, as after a suspended night, are taken at once, and those missed are left out.
 */
public final class LiveSamples implements SampleSource {
    private static final long STOPPING_MILLIS = 1000;
    /** Where there is no driver, to look for its library each time would cost more than all else; one takes longer to be loaded again. */
    private static final long AGAIN_NANOS = 5_000_000_000L;

    private final Set<Long> pids;
    private final Duration interval;
    private final ProcFolder proc = new ProcFolder(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
    private final CountDownLatch stopped = new CountDownLatch(1);
    private boolean isTree;
    private @Nullable Nvml nvml;
    private long due = System.nanoTime();
    /** When the driver's library was last opened, or closed as it failed. */
    private long opened = System.nanoTime();
    /** The most devices that ever answered. */
    private int most;
    /** Processes with memory of a device when all devices last answered. */
    private Set<Long> onDevices = Set.of();

    /** Samples some processes, or, where the set is empty, all that hold memory of a GPU. */
    public LiveSamples(Set<Long> pids, Duration interval) {
        this.pids = Set.copyOf(pids);
        this.interval = interval;
        this.nvml = Nvml.open();
    }

    /** Samples a process, and those below it that hold memory of a GPU. */
    public static LiveSamples ofTree(long pid, Duration interval) {
        LiveSamples samples = new LiveSamples(Set.of(pid), interval);
        samples.isTree = true;
        return samples;
    }

    private Set<Long> wanted() {
        Set<Long> wanted = new HashSet<>(pids);
        for (long pid : isTree ? pids : Set.<Long>of()) {
            ProcessHandle.of(pid).stream()
                    .flatMap(ProcessHandle::descendants)
                    .forEach(child -> wanted.add(child.pid()));
        }
        return wanted;
    }

    /** Returns whether there is a driver to ask. */
    public boolean hasDriver() {
        return nvml != null;
    }

    /** Has SIGINT and SIGTERM end the samples, so that whoever takes them can say how things stand; a second of time is given for that. */
    public void stopAtExit() {
        Thread taker = Thread.currentThread();
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("leakline-stop").unstarted(() -> {
                    stop();
                    try {
                        taker.join(STOPPING_MILLIS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }));
    }

    /** Not by an interrupt, which would close the files that the taker writes. */
    @Override
    public void stop() {
        stopped.countDown();
    }

    @Override
    public @Nullable List<ProcessSample> next() {
        try {
            if (stopped.await(due - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
        due = Math.max(due, System.nanoTime() - interval.toNanos()) + interval.toNanos();
        return samples();
    }

    private List<ProcessSample> samples() {
        double now = System.currentTimeMillis() / 1000.0;
        List<ProcessSample> samples = new ArrayList<>();
        Set<Long> found = new HashSet<>();
        Set<Long> wanted = wanted();
        Devices devices = devices();
        for (GpuDevice device : devices.answered) {
            for (GpuDevice.Use use : device.uses()) {
                long pid = use.pid();
                if (wanted.isEmpty() || wanted.contains(pid)) {
                    ProcFolder.Host host = proc.read(pid);
                    samples.add(sample(now, pid, host, found.add(pid), device, use.bytes()));
                }
            }
        }
        for (long pid : named(devices.areAll)) {
            ProcFolder.Host host = found.contains(pid) ? null : proc.read(pid);
            if (host != null) {
                samples.add(sample(now, pid, host, true, null, ProcessSample.UNKNOWN));
            }
        }
        if (devices.areAll) {
            onDevices = found;
        }
        return samples;
    }

    /** Processes to sample whatever the driver says: where it fails, also those of before, which run on. */
    private Set<Long> named(boolean areAll) {
        Set<Long> named = new HashSet<>(pids);
        if (!areAll) {
            named.addAll(onDevices);
        }
        return named;
    }

    /** Devices whose processes the driver could list. */
    private record Devices(List<GpuDevice> answered, boolean areAll) {}

    private Devices devices() {
        List<GpuDevice> answered = new ArrayList<>();
        int failed = 0;
        for (NvmlDevice device : handles()) {
            try {
                answered.add(device.describe());
            } catch (IOException e) {
                failed++;
            }
        }
        most = Math.max(most, answered.size());
        if (answered.isEmpty() && most > 0) {
            closeDriver();
        }
        return new Devices(answered, failed == 0 && answered.size() == most);
    }

    private List<NvmlDevice> handles() {
        long now = System.nanoTime();
        if (nvml == null && now - opened > AGAIN_NANOS) {
            opened = now;
            nvml = Nvml.open();
        }
        try {
            return nvml == null ? List.of() : nvml.devices();
        } catch (IOException e) {
            closeDriver();
            return List.of();
        }
    }

    /** Closes the library to begin anew: a driver that was loaded again is another to a library that is still open. */
    private void closeDriver() {
        if (nvml != null) {
            nvml.close();
            nvml = null;
            opened = System.nanoTime();
        }
    }

    /** A sample; host memory is in the first of a process only. */
    private static ProcessSample sample(
            double now,
            long pid,
            ProcFolder.@Nullable Host host,
            boolean isFirst,
            @Nullable GpuDevice device,
            long used) {
        ProcFolder.Host first = isFirst ? host : null;
        return new ProcessSample(
                now,
                pid,
                host == null ? null : host.name(),
                host == null ? ProcessSample.UNKNOWN : host.started(),
                device == null ? -1 : device.index(),
                used,
                ProcessSample.UNKNOWN,
                ProcessSample.UNKNOWN,
                ProcessSample.UNKNOWN,
                first != null ? first.rss() : ProcessSample.UNKNOWN,
                first != null ? first.rssChildren() : ProcessSample.UNKNOWN,
                device == null || device.total() == 0 ? ProcessSample.UNKNOWN : device.total(),
                first != null ? first.limit() : ProcessSample.UNKNOWN);
    }

    @Override
    public void close() {
        proc.close();
        closeDriver();
    }
}
