import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOwners, LIGHT, siteStyles } from "../../main/web/src/shared/palette";
import { lastFailure, sortedSegments, useOf } from "../../main/web/src/segments/space";
import { fittedLine } from "../../main/web/src/verdict/fit";
import type { Segment } from "../../main/web/src/data/picture";
import { site } from "./builders";

test("the fitted line keeps its slope and the floor's height", () => {
    const floor = [0, 1, 2, 3, 4].map((step) => ({ step, bytes: step < 2 ? 0 : 500 + 100 * (step - 2) }));
    assert.deepEqual(fittedLine({ floor, first_step: 2, last_step: 4 }, 100), { first: 2, last: 4, atFirst: 500, atLast: 700 });
    assert.equal(fittedLine({ floor: [], first_step: 0, last_step: 4 }, 100), null);
});

test("findings about one line have one colour", () => {
    const at = (line: number) => ({ site: { kind: "user", file: "/app/a.py", line, function: "main" } });
    assert.deepEqual(colourOwners([at(17), at(20), at(17)]), [0, 1, 0]);
});

test("twenty-eight sites are told apart by colour and pattern", () => {
    const sites = Array.from({ length: 28 }, (_, i) => site(`site${i}`));
    const looks = siteStyles(sites, LIGHT).map((style) => `${style.colour} ${style.pattern}`);
    assert.equal(new Set(looks).size, 28);
});

test("lines of one finding have shades of one colour", () => {
    const [first, second] = siteStyles([site("a", 0), site("b", 0)], LIGHT);
    assert.deepEqual(first.colour, LIGHT.findings[0]);
    assert.notDeepEqual(second.colour, first.colour);
});

function segment(bytes: number[], state: number[]): Segment {
    const ints = Int32Array.from(state, () => -1);
    const blocks = { offset: new Float64Array(bytes.length), bytes: Float64Array.from(bytes), state: Int32Array.from(state), site: ints, stack: ints };
    const total = bytes.reduce((sum, size) => sum + size, 0);
    return { address: "0x7f0000000000", bytes: total, pool: "large", privatePool: null, stream: 0, expandable: false, blocks };
}

test("the use of a segment adds up", () => {
    assert.deepEqual(useOf(segment([10, 20, 30, 5], [1, 0, 2, 0])), { live: 10, pending: 30, free: 25, largestHole: 20, holes: 2 });
});

test("segments sort by size and by what is free", () => {
    const segments = [segment([10], [1]), segment([50], [1]), segment([30], [0])];
    assert.deepEqual(sortedSegments(segments, "size"), [1, 2, 0]);
    assert.deepEqual(sortedSegments(segments, "free"), [2, 0, 1]);
    assert.deepEqual(sortedSegments(segments, "address"), [0, 1, 2]);
});

test("a failed request is measured against all holes", () => {
    const mark = { event: 3, requested: 100, free: 7, site: "train.py:20 main" };
    const failure = lastFailure({ oom: [mark], segments: [segment([10, 40], [0, 0]), segment([30], [0])] });
    assert.deepEqual(failure, { mark, free: 80, holes: 3, largestHole: 40 });
    assert.equal(lastFailure({ oom: [], segments: [] }), null);
});
