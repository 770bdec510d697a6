package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.event.Annotation;
import dev.leakline.testkit.snapshot.event.CallStack;
import dev.leakline.testkit.snapshot.event.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All devices, the pinned host memory, and the allocations that tests know by key. */
final class Recording {
    final Cursor cursor = new Cursor();
    final List<DeviceRecording> devices = new ArrayList<>();
    final HostRecording host = new HostRecording(cursor);
    final List<Annotation> annotations = new ArrayList<>();
    private final Map<String, Holding> live = new LinkedHashMap<>();

    /** A device's block under its key. */
    private record Holding(DeviceRecording device, Block block) {}

    Recording() {
        showDevices(1);
    }

    /** Makes at least so many devices visible. */
    void showDevices(int count) {
        while (devices.size() < count) {
            devices.add(new DeviceRecording(devices.size(), cursor));
        }
    }

    DeviceRecording device() {
        showDevices(cursor.device + 1);
        return devices.get(cursor.device);
    }

    void preexisting(String key, long size, String... frames) {
        CallStack stack = frames.length == 0 ? null : cursor.capture(frames);
        keep(key, device().preexisting(size, stack));
    }

    void allocate(String key, long size, String... frames) {
        keep(key, device().allocate(size, cursor.capture(frames)));
    }

    void hostAllocate(String key, long size, String... frames) {
        keep(key, host.allocate(size, cursor.capture(frames)));
    }

    void free(String key, String... frames) {
        CallStack here = cursor.capture(frames);
        Holding holding = holding(key);
        live.remove(key);
        if (isOnHost(holding.block())) {
            host.free(holding.block(), here);
        } else {
            holding.device().requestFree(holding.block(), here);
            holding.device().completeFree(holding.block(), here);
        }
    }

    void requestFree(String key, String... frames) {
        Holding holding = holding(key);
        holding.device().requestFree(holding.block(), cursor.capture(frames));
    }

    void completeFree(String key, String... frames) {
        completeFree(key, cursor.capture(frames));
    }

    /** Frees what is pending, then gives the cache back: what the allocator does when it is asked, or in need. */
    void emptyCache(CallStack here) {
        pendingOn(device()).forEach(key -> completeFree(key, here));
        device().emptyCache(here);
    }

    void annotate(String key, String note, String... frames) {
        String before = cursor.metadata;
        cursor.metadata = note;
        Holding holding = holding(key);
        holding.device().annotate(holding.block(), cursor.capture(frames));
        cursor.metadata = before;
    }

    void mark(String name, Stage stage) {
        annotations.add(new Annotation(name, stage, cursor.device, cursor.tick()));
    }

    Block block(String key) {
        return holding(key).block();
    }

    private void completeFree(String key, CallStack here) {
        Holding holding = holding(key);
        if (holding.block().state != Block.State.ACTIVE_PENDING_FREE) {
            throw new IllegalStateException("no free of \"" + key + "\" is pending");
        }
        live.remove(key);
        holding.device().completeFree(holding.block(), here);
    }

    private List<String> pendingOn(DeviceRecording device) {
        return live.entrySet().stream()
                .filter(entry -> entry.getValue().device() == device)
                .filter(entry -> entry.getValue().block().state == Block.State.ACTIVE_PENDING_FREE)
                .map(Map.Entry::getKey)
                .toList();
    }

    private boolean isOnHost(Block block) {
        return host.segments.contains(block.segment);
    }

    private void keep(String key, Block block) {
        if (live.putIfAbsent(key, new Holding(device(), block)) != null) {
            throw new IllegalStateException("\"" + key + "\" is alive already");
        }
    }

    private Holding holding(String key) {
        Holding holding = live.get(key);
        if (holding == null) {
            throw new IllegalStateException("\"" + key + "\" is not alive; alive are " + live.keySet());
        }
        return holding;
    }
}
