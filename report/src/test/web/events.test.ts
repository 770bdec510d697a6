import assert from "node:assert/strict";
import { test } from "node:test";
import { NEVER } from "../../main/web/src/data/allocations";
import { recordedEvents } from "../../main/web/src/data/events";
import { pictureOf, segmentAt, site } from "./builders";

test("events are told from what lives and dies", () => {
    const picture = pictureOf(12, [site("a")], [[-1, 3, 7, 0], [2, 8, 5, 0], [9, NEVER, 4, 0]]);
    picture.allocations.released = Int32Array.of(NEVER, 6, NEVER);
    picture.allocations.address = Float64Array.of(512, 1024, 1536);
    picture.segments = [segmentAt(0, 20, { born: 1 }), segmentAt(40, 8, { born: 4, expandable: true }), segmentAt(48, 8, { born: 4, died: 10, expandable: true })];
    picture.oom = [{ event: 11, requested: 99, free: 3, site: "x" }];
    const told = recordedEvents(picture, 0, 12).map(({ event, action, bytes, address, row }) => [event, action, bytes, address, row]);
    assert.deepEqual(told, [
        [0, "other", 0, null, -1],
        [1, "segment_alloc", 20, 0, -1],
        [2, "alloc", 5, 1024, 1],
        [3, "free", 7, 512, 0],
        [4, "segment_map", 16, 40, -1],
        [5, "other", 0, null, -1],
        [6, "free_requested", 5, 1024, 1],
        [7, "other", 0, null, -1],
        [8, "free_completed", 5, 1024, 1],
        [9, "alloc", 4, 1536, 2],
        [10, "segment_unmap", 8, 48, -1],
        [11, "oom", 99, null, -1],
    ]);
    assert.deepEqual(recordedEvents(picture, 8, 10).map(({ action }) => action), ["free_completed", "alloc"]);
});

test("what takes a place whose free is missing is an allocation", () => {
    const picture = pictureOf(5, [site("a")], [[0, 2, 7, 0], [2, NEVER, 5, 0]]);
    assert.equal(recordedEvents(picture, 2, 3)[0].action, "alloc");
});
