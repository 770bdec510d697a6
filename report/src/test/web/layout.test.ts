import assert from "node:assert/strict";
import { test } from "node:test";
import { FREE, layoutAt, LIVE, PENDING } from "../../main/web/src/data/layout";
import { NEVER } from "../../main/web/src/data/allocations";
import type { Picture } from "../../main/web/src/data/picture";
import { failureText } from "../../main/web/src/segments/failure";
import { failureAt, segmentNote, sortedSegments, sumOf, useOf } from "../../main/web/src/segments/space";
import { settingText } from "../../main/web/src/verdict/settings";
import { pictureOf, segmentAt, site } from "./builders";

const MB = 1 << 20;

/** Blocks as rows of born, died, bytes, address. */
function laidOut(events: number, rows: [number, number, number, number][]): Picture {
    const picture = pictureOf(events, [site("a")], rows.map(([born, died, bytes]) => [born, died, bytes, 0]));
    picture.allocations.address = Float64Array.from(rows.map((row) => row[3]));
    return picture;
}

test("blocks lie by address, with the holes between them, as they were at the moment", () => {
    const picture = laidOut(50, [
        [1, NEVER, 7 * MB, 20 * MB],
        [2, 9, 5 * MB, 0],
        [3, 30, 4 * MB, 8 * MB],
    ]);
    picture.segments = [segmentAt(0, 40 * MB)];
    const [segment] = layoutAt(picture, 5);
    assert.deepEqual([...segment.blocks.offset], [0, 5 * MB, 8 * MB, 12 * MB, 20 * MB, 27 * MB]);
    assert.deepEqual([...segment.blocks.state], [LIVE, FREE, LIVE, FREE, LIVE, FREE]);
    assert.deepEqual([...segment.blocks.allocation], [1, -1, 2, -1, 0, -1]);
    assert.deepEqual(useOf(segment), { live: 16 * MB, pending: 0, free: 24 * MB, largestHole: 13 * MB, holes: 3 });
    assert.deepEqual([...layoutAt(picture, 12)[0].blocks.offset], [0, 8 * MB, 12 * MB, 20 * MB, 27 * MB]);
});

test("segments come and go", () => {
    const picture = laidOut(50, []);
    picture.segments = [segmentAt(0, 2 * MB, { born: 5 }), segmentAt(4 * MB, 8 * MB, { died: 9 })];
    assert.deepEqual(layoutAt(picture, 4).map((segment) => segment.bytes), [8 * MB]);
    assert.deepEqual(layoutAt(picture, 5).map((segment) => segment.bytes), [2 * MB, 8 * MB]);
    assert.deepEqual(layoutAt(picture, 9).map((segment) => segment.bytes), [2 * MB]);
});

test("a rest too small to be cut off belongs to its block, but not at the end, and not where all rests are cut off", () => {
    const picture = laidOut(50, [[-1, NEVER, 10 * MB - 512, 0]]);
    picture.segments = [segmentAt(0, 10 * MB)];
    assert.deepEqual([...layoutAt(picture, 5)[0].blocks.bytes], [10 * MB]);
    assert.deepEqual([...layoutAt(picture, 49)[0].blocks.bytes], [10 * MB - 512, 512]);
    picture.segments = [segmentAt(0, 10 * MB, { expandable: true })];
    assert.equal(useOf(layoutAt(picture, 5)[0]).holes, 1);
    picture.segments = [segmentAt(0, 10 * MB, { pool: "small" })];
    assert.equal(useOf(layoutAt(picture, 5)[0]).holes, 1);
});

test("parts of an expandable segment are one, those of other streams are not", () => {
    const picture = laidOut(50, [[-1, NEVER, 30 * MB, 4 * MB]]);
    const part = { expandable: true };
    picture.segments = [segmentAt(0, 20 * MB, part), segmentAt(20 * MB, 20 * MB, { ...part, born: 7 }), segmentAt(40 * MB, 2 * MB, { ...part, stream: 3 })];
    assert.deepEqual(layoutAt(picture, 8).map((segment) => segment.bytes), [40 * MB, 2 * MB]);
    assert.deepEqual([...layoutAt(picture, 8)[0].blocks.bytes], [4 * MB, 30 * MB, 6 * MB]);
    assert.deepEqual(layoutAt(picture, 6).map((segment) => segment.bytes), [20 * MB, 2 * MB]);
    assert.deepEqual([...layoutAt(picture, 6)[0].blocks.bytes], [4 * MB, 16 * MB], "a block ends where its segment does");
});

test("a block that the program freed waits until the allocator frees it", () => {
    const picture = laidOut(50, [[1, 20, 3 * MB, 0]]);
    picture.allocations.released = Int32Array.of(10);
    picture.segments = [segmentAt(0, 3 * MB)];
    assert.equal(layoutAt(picture, 9)[0].blocks.state[0], LIVE);
    assert.equal(layoutAt(picture, 10)[0].blocks.state[0], PENDING);
    assert.equal(layoutAt(picture, 20)[0].blocks.state[0], FREE);
});

test("a failed request is measured against the holes of its moment", () => {
    const picture = laidOut(50, [[1, NEVER, 5 * MB, 8 * MB], [2, NEVER, 5 * MB, 33 * MB]]);
    picture.segments = [segmentAt(0, 20 * MB), segmentAt(30 * MB, 10 * MB)];
    const mark = { event: 5, requested: 9 * MB, free: 3 * MB, site: "train.py:41 (train)" };
    const segments = layoutAt(picture, 5);
    const failure = failureAt([mark], 5, segments);
    assert.ok(failure !== null);
    assert.equal(failure.fitting, 0);
    assert.deepEqual(sumOf(segments.map(useOf)), { live: 10 * MB, pending: 0, free: 20 * MB, largestHole: 8 * MB, holes: 4 });
    assert.equal(
        failureText(failure),
        "This request for 9.00 MiB failed, at train.py:41 (train). 3.00 MiB were free on the device. " +
            "20.0 MiB were free in 4 holes of the segments; each was too small. The largest hole was 8.00 MiB.",
    );
    assert.match(failureText({ ...failure, fitting: 1 }), /; 3 were too small, 1 large enough but of another pool or stream\./);
    assert.match(failureText({ ...failure, use: { ...failure.use, holes: 0 } }), /No segment had a hole/);
    assert.equal(failureAt([mark], 6, segments), null);
});

test("segments are sorted by size, by what is free, or by address", () => {
    const picture = laidOut(50, [[1, NEVER, 19 * MB, 30 * MB]]);
    picture.segments = [segmentAt(0, 9 * MB), segmentAt(30 * MB, 20 * MB, { privatePool: "1,0", stream: 7, streamNumber: 1 }), segmentAt(60 * MB, 2 * MB)];
    const segments = layoutAt(picture, 5);
    assert.deepEqual(sortedSegments(segments, "size"), [1, 0, 2]);
    assert.deepEqual(sortedSegments(segments, "free"), [0, 2, 1]);
    assert.deepEqual(sortedSegments(segments, "address"), [0, 1, 2]);
    assert.equal(segmentNote(segments[1]), "large pool, private pool 1,0, stream 1 (handle 0x7)");
});

test("settings are said in words", () => {
    assert.equal(settingText(true), "on");
    assert.equal(settingText(""), "not set");
    assert.equal(settingText(-1), "no limit");
    assert.equal(settingText({ 1: 0, 2: 0 }), "0 for all");
    assert.equal(settingText({ 1: 0, 2: 4 }), "1: 0, 2: 4");
});
