import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseLevel, highestBucket, stackedSums } from "../../main/web/src/data/pyramid";
import { decodeClock, recordedTime } from "../../main/web/src/data/clock";
import { fractionalIndex, interpolate, lastAtOrBelow } from "../../main/web/src/data/search";
import { stackingOrder } from "../../main/web/src/data/siteOrder";
import { evenLevel, site } from "./builders";

const LEVELS = [evenLevel(512, 81_920), evenLevel(2048, 81_920), evenLevel(8192, 81_920)];

test("the level chosen is the coarsest with a bucket a pixel", () => {
    assert.equal(chooseLevel(LEVELS, 0, 81_920, 400), 0);
    assert.equal(chooseLevel(LEVELS, 0, 81_920, 1200), 1);
    assert.equal(chooseLevel(LEVELS, 0, 20_480, 400), 1);
    assert.equal(chooseLevel(LEVELS, 0, 20_480, 1200), 2);
    assert.equal(chooseLevel(LEVELS, 0, 100, 1200), 2);
});

test("sums stack in the order given", () => {
    const level = { buckets: 2, bySite: [Float64Array.of(3, 5), Float64Array.of(11, 13), Float64Array.of(17, 19)] };
    assert.deepEqual([...stackedSums(level, [2, 0, 1])], [17, 20, 31, 19, 24, 37]);
});

test("the highest bucket of several is found", () => {
    assert.equal(highestBucket(Float64Array.of(4, 9, 7, 30), 0, 2), 1);
    assert.equal(highestBucket(Float64Array.of(4, 9), 0, 0), 0);
});

test("times that step back are held on the axis, and said as recorded", () => {
    const clock = decodeClock({ event: [0, 1, 1, 2], timeUs: [0, 20, -10, 20] });
    assert.deepEqual([...clock.ascending], [0, 20, 20, 30]);
    assert.deepEqual([0, 2, 3, 4].map((event) => recordedTime(clock, event)), [0, 10, null, 30]);
});

test("search finds the last entry at or below", () => {
    assert.equal(lastAtOrBelow([10, 20, 30], 9), -1);
    assert.equal(lastAtOrBelow([10, 20, 30], 20), 1);
    assert.equal(lastAtOrBelow([10, 20, 30], 99), 2);
    assert.equal(lastAtOrBelow([], 1), -1);
});

test("fractions of an index and back", () => {
    assert.equal(fractionalIndex([0, 10, 30], 20), 1.5);
    assert.equal(fractionalIndex([0, 10, 30], -5), 0);
    assert.equal(fractionalIndex([0, 10, 10, 30], 10), 2);
    assert.equal(interpolate([0, 10, 30], 1.5), 20);
    assert.equal(interpolate([0, 10, 30], 7), 30);
});

test("what leaks lies at the bottom, what holds still above it, what swings on top", () => {
    const sites = [site("swings"), site("still"), site("leaks", 0)];
    const bySite = [Float64Array.of(0, 9, 0, 9), Float64Array.of(5, 5, 5, 5), Float64Array.of(1, 2, 3, 4)];
    assert.deepEqual(stackingOrder(sites, bySite), [2, 1, 0]);
});
