package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.pickle.PyTuple;
import dev.leakline.testkit.snapshot.event.CallStack;
import dev.leakline.testkit.snapshot.event.Event;
import dev.leakline.testkit.snapshot.event.EventAction;
import dev.leakline.testkit.snapshot.event.PoolId;
import dev.leakline.testkit.snapshot.event.Scene;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The dict of an event. */
final class EventTree {
    private final Form form;

    EventTree(Form form) {
        this.form = form;
    }

    Object of(Event event) {
        CallStack stack = stack(event);
        Map<String, Object> dict = new LinkedHashMap<>();
        if (stack != null && !form.since(Layout.V2_1)) {
            dict.put("frames", form.frames(stack));
        }
        putCore(dict, event);
        putScene(dict, event.scene());
        if (form.since(Layout.V2_12)) {
            dict.put("pool_id", tuple(event.pool()));
        }
        if (stack != null) {
            dict.putIfAbsent("frames", form.frames(stack));
        }
        return stack == null ? dict : form.held(dict);
    }

    static PyTuple tuple(PoolId pool) {
        return PyTuple.of(pool.first(), pool.second());
    }

    /** Older versions had other ideas of which stack a free and a release carry. */
    private @Nullable CallStack stack(Event event) {
        if (form.layout == Layout.V2_0 && event.action().isFree()) {
            return event.origin();
        }
        if (form.layout == Layout.V2_1 && event.action().isRelease()) {
            return null;
        }
        return event.stack();
    }

    private static void putCore(Map<String, Object> dict, Event event) {
        dict.put("action", event.action().text());
        dict.put(event.action() == EventAction.OOM ? "device_free" : "addr", event.address());
        dict.put("size", event.size());
        dict.put("stream", event.stream());
    }

    private void putScene(Map<String, Object> dict, Scene scene) {
        if (form.cpp) {
            putTexts(dict, scene);
            putTime(dict, scene);
        } else {
            putTime(dict, scene);
            putTexts(dict, scene);
        }
    }

    private void putTime(Map<String, Object> dict, Scene scene) {
        if (form.since(Layout.V2_2)) {
            dict.put("time_us", scene.timeUs());
        }
    }

    private void putTexts(Map<String, Object> dict, Scene scene) {
        if (form.since(Layout.V2_8)) {
            dict.put("compile_context", Form.fresh(scene.compileContext()));
        }
        if (form.since(Layout.V2_10)) {
            dict.put("user_metadata", Form.fresh(scene.metadata()));
        }
    }
}
