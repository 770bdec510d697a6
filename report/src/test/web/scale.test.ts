import assert from "node:assert/strict";
import { test } from "node:test";
import { byteTicks, clampRange, countTicks, decimalTicks, toPixel, toValue, zoomRange } from "../../main/web/src/shared/scale";

const SCALE = { from: 100, to: 300, start: 10, end: 410 };

test("pixels and values are each other's inverse", () => {
    assert.equal(toPixel(SCALE, 100), 10);
    assert.equal(toPixel(SCALE, 300), 410);
    assert.equal(toValue(SCALE, toPixel(SCALE, 217)), 217);
});

test("ticks are round and within the domain", () => {
    assert.deepEqual(decimalTicks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
    assert.deepEqual(byteTicks(0, 6 * 2 ** 30, 4), [0, 2 * 2 ** 30, 4 * 2 ** 30, 6 * 2 ** 30]);
    assert.deepEqual(countTicks(0, 3, 10), [0, 1, 2, 3]);
});

test("ticks of an empty or endless domain are none", () => {
    assert.deepEqual(decimalTicks(5, 5, 5), []);
    assert.deepEqual(decimalTicks(0, Infinity, 5), []);
    assert.deepEqual(byteTicks(0, NaN, 5), []);
});

test("a range is kept within the whole", () => {
    const whole = { from: 0, to: 1000 };
    assert.deepEqual(clampRange({ from: -50, to: 150 }, whole, 8), { from: 0, to: 200 });
    assert.deepEqual(clampRange({ from: 900, to: 1100 }, whole, 8), { from: 800, to: 1000 });
    assert.deepEqual(clampRange({ from: -500, to: 5000 }, whole, 8), { from: 0, to: 1000 });
    assert.deepEqual(clampRange({ from: 500, to: 500 }, whole, 8), { from: 496, to: 504 });
});

test("a zoom keeps the place it is about", () => {
    const range = zoomRange({ from: 0, to: 100 }, 25, 0.5);
    assert.deepEqual(range, { from: 12.5, to: 62.5 });
    assert.equal((25 - range.from) / (range.to - range.from), 0.25);
});
