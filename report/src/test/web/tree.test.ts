import assert from "node:assert/strict";
import { test } from "node:test";
import { chainsFolded, userFramesOnly, withoutDispatch } from "../../main/web/src/data/fold";
import { findMatches, isWithin, layOut } from "../../main/web/src/data/tree";
import { tree } from "./builders";

const USER = 0;
const TORCH = 2;
const OTHER = 5;
const DISPATCH = 6;

// all -> main -> (linear -> loss, relu -> loss), by frames 1, 2, 3, 4
const CALLS = tree([
    [-1, -1, 1000, 10, OTHER],
    [0, 1, 1000, 10, USER],
    [1, 2, 300, 3, TORCH],
    [1, 3, 700, 7, TORCH],
    [2, 4, 100, 1, USER],
    [3, 4, 600, 6, USER],
]);

test("without library frames, calls that become alike become one", () => {
    const merged = userFramesOnly(CALLS);
    assert.deepEqual([...merged.frame], [-1, 1, 4]);
    assert.deepEqual([...merged.parent], [-1, 0, 1]);
    assert.deepEqual([...merged.bytes], [1000, 1000, 700]);
    assert.deepEqual([...merged.blocks], [10, 10, 7]);
});

test("without library frames, what is no code stays", () => {
    const older = tree([[-1, -1, 900, 9, OTHER], [0, 7, 400, 4, OTHER], [0, 1, 500, 5, USER]]);
    assert.deepEqual([...userFramesOnly(older).bytes], [900, 400, 500]);
});

test("frames of the dispatcher fall to their callers", () => {
    const dispatched = tree([[-1, -1, 900, 9, OTHER], [0, 1, 900, 9, USER], [1, 2, 900, 9, DISPATCH], [2, 3, 900, 9, TORCH]]);
    assert.deepEqual([...withoutDispatch(dispatched).frame], [-1, 1, 3]);
});

test("chains of calls that hold the same become one, but for the line of a finding and other kinds of code", () => {
    const chain = tree([
        [-1, -1, 900, 9, OTHER],
        [0, 1, 900, 9, USER],
        [1, 2, 900, 9, USER],
        [2, 3, 900, 9, USER],
        [3, 4, 900, 9, TORCH],
        [4, 5, 500, 5, TORCH],
        [4, 6, 400, 4, TORCH],
    ]);
    const folded = chainsFolded(chain, () => false);
    assert.deepEqual([...folded.frame], [-1, 3, 4, 5, 6]);
    assert.deepEqual([...folded.bytes], [900, 900, 900, 500, 400]);
    assert.deepEqual([...folded.folded], [[1, [1, 2]]]);
    assert.deepEqual([...chainsFolded(chain, (frame) => frame === 3).frame], [-1, 2, 3, 4, 5, 6]);
});

test("the largest child stands first, below its parent", () => {
    const layout = layOut(CALLS);
    assert.deepEqual([...layout.left], [0, 0, 700, 0, 700, 0]);
    assert.deepEqual([...layout.depth], [0, 1, 2, 2, 3, 3]);
    assert.equal(layout.deepest, 3);
    assert.deepEqual(layout.children[1], [3, 2]);
});

test("matches within matches count once", () => {
    const matches = findMatches(CALLS, (node) => CALLS.frame[node] === 3 || CALLS.frame[node] === 4);
    assert.equal(matches.count, 3);
    assert.equal(matches.bytes, 800);
    assert.deepEqual([...matches.isMatch], [0, 0, 0, 1, 1, 1]);
});

test("the root is no match, so that a sum is never all by itself", () => {
    assert.equal(findMatches(CALLS, () => true).bytes, 1000);
    assert.equal(findMatches(CALLS, () => true).isMatch[0], 0);
});

test("ancestors are told from others", () => {
    assert.equal(isWithin(CALLS, 5, 3), true);
    assert.equal(isWithin(CALLS, 5, 2), false);
    assert.equal(isWithin(CALLS, 3, 3), true);
});

test("an empty tree has an empty layout", () => assert.equal(layOut(tree([])).deepest, 0));
