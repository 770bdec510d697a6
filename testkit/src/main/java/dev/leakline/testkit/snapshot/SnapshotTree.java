package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.event.Annotation;
import dev.leakline.testkit.snapshot.event.Event;
import dev.leakline.testkit.snapshot.event.EventAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tree of a whole snapshot. */
final class SnapshotTree {
    private static final int HOST = -1;

    private final Form form;
    private final Recording recording;
    private final int maxEntries;

    SnapshotTree(Form form, Recording recording, int maxEntries) {
        this.form = form;
        this.recording = recording;
        this.maxEntries = maxEntries;
    }

    Object build(Settings settings) {
        return form.since(Layout.V2_0) ? dict(settings) : form.held(segments());
    }

    private Object dict(Settings settings) {
        Map<String, Object> dict = new LinkedHashMap<>();
        dict.put("segments", form.held(segments()));
        dict.put("device_traces", form.held(traces()));
        if (form.since(Layout.V2_4)) {
            dict.put("allocator_settings", form.held(settingsTree(settings)));
        }
        if (form.since(Layout.V2_6)) {
            dict.put("external_annotations", form.held(annotations()));
        }
        if (form.since(Layout.V2_14)) {
            dict.put("host_segments", form.held(segments(HOST, recording.host.segments)));
            dict.put("host_traces", form.held(trace(recording.host.trace)));
        }
        return form.held(dict);
    }

    private Map<String, Object> settingsTree(Settings settings) {
        Map<String, Object> tree = settings.tree(form.layout);
        tree.computeIfPresent("roundup_power2_divisions", (_, divisions) -> form.held(divisions));
        return tree;
    }

    private List<Object> segments() {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < recording.devices.size(); i++) {
            all.addAll(segments(i, recording.devices.get(i).memory.segments()));
        }
        return all;
    }

    private List<Object> segments(int device, List<DeviceSegment> segments) {
        SegmentTree tree = new SegmentTree(form);
        List<Object> dicts = new ArrayList<>();
        for (DeviceSegment segment : segments) {
            segment.ranges().forEach(range -> dicts.add(tree.of(device, range)));
        }
        return dicts;
    }

    private List<Object> traces() {
        List<Object> traces = new ArrayList<>();
        recording.devices.forEach(device -> traces.add(trace(device.trace)));
        return traces;
    }

    private List<Object> trace(List<Event> events) {
        EventTree tree = new EventTree(form);
        List<Object> dicts = new ArrayList<>();
        newest(events).stream().filter(this::isKnown).forEach(event -> dicts.add(tree.of(event)));
        return dicts;
    }

    private boolean isKnown(Event event) {
        return event.action() != EventAction.ANNOTATE || form.since(Layout.V2_14);
    }

    private <T> List<T> newest(List<T> entries) {
        return entries.subList(Math.max(0, entries.size() - maxEntries), entries.size());
    }

    private List<Object> annotations() {
        List<Object> dicts = new ArrayList<>();
        newest(recording.annotations).forEach(annotation -> dicts.add(annotation(annotation)));
        return dicts;
    }

    private Object annotation(Annotation annotation) {
        Map<String, Object> dict = new LinkedHashMap<>();
        dict.put(Form.fresh("stage"), Form.fresh(annotation.stage().name()));
        dict.put(Form.fresh("name"), Form.fresh(annotation.name()));
        dict.put("device", annotation.device());
        dict.put("time_us", annotation.timeUs());
        return dict;
    }
}
