package dev.leakline.watch.ladder;

import dev.leakline.HolderDump;
import dev.leakline.attach.Attach;
import dev.leakline.attach.Attach.Visit;
import dev.leakline.attach.RemoteRecording;
import dev.leakline.attach.linux.Pause;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Holders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Looks by way of attach. What the process writes is kept in a folder of its own. */
public final class AttachedLooks implements Looks {
    /** As leakline attach: a step between two looks of the main thread can take many seconds. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** Between two dumps: some steps, some requests. */
    private static final Duration BETWEEN = Duration.ofSeconds(5);
    /** As leakline attach: some fifty steps of a large model. */
    private static final long ENTRIES = 200_000;

    private final Path folder;
    private final Runnable quit;

    /**
     * Looks whose files go into a folder.
     *
     * @param quit is run where somebody asks this program to end while a process records: that ends first, so that nobody's job records for nobody
     */
    public AttachedLooks(Path folder, Runnable quit) {
        this.folder = folder;
        this.quit = quit;
    }

    private Attach.Options options(int pid) {
        return new Attach.Options(null, null, folder.resolve("looks-" + pid), LIMIT, PATIENCE, Duration.ZERO);
    }

    @Override
    public Light light(int pid) throws IOException {
        Visit visit = Attach.light(pid, options(pid), _ -> {});
        AnalysisResult result = Looks.judged(visit.files());
        long allocated =
                result.devices().stream().mapToLong(DeviceResult::endBytes).sum();
        long reserved = result.devices().stream()
                .mapToLong(DeviceResult::endReservedBytes)
                .sum();
        return new Light(allocated, reserved, visit.files());
    }

    @Override
    public Held holders(int pid) throws IOException {
        List<Path> files = new ArrayList<>(Attach.to(pid, options(pid), _ -> {}).files());
        long end = System.nanoTime() + BETWEEN.toNanos();
        Attach.Looks host = new Attach.Looks(BETWEEN, false, List.of());
        List<Path> looks = Attach.looks(pid, host, options(pid), _ -> {}).files();
        Pause.of(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        files.addAll(Attach.to(pid, options(pid), _ -> {}).files());
        List<HolderDump> dumps = new ArrayList<>();
        for (Path file : files) {
            dumps.add(HolderDump.open(file));
        }
        files.addAll(looks);
        return new Held(
                HolderDump.explain(dumps).groups().stream()
                        .filter(group ->
                                group.growth() != null && group.growth().newStorages() > 0)
                        .map(Holders.Group::title)
                        .findFirst()
                        .orElse(null),
                files);
    }

    @Override
    public Recorded history(int pid, Duration length) throws IOException {
        long begun = System.nanoTime();
        List<Path> files =
                RemoteRecording.of(pid, length, ENTRIES, options(pid), _ -> {}).files();
        if (System.nanoTime() - begun < length.toNanos()) {
            quit.run();
        }
        return new Recorded(Looks.judged(files), files);
    }
}
