import assert from "node:assert/strict";
import { test } from "node:test";
import { joined, NEVER, nameOf, rowOf } from "../../main/web/src/data/allocations";
import { isKept, isKeptThroughout, isKnown, keptMoments, keptShare } from "../../main/web/src/data/kept";
import { nearestKept, nearestRun, neighbourKept } from "../../main/web/src/data/nearest";
import { runAround } from "../../main/web/src/data/run";
import { unpacked } from "../../main/web/src/data/packed";
import { Stretches } from "../../main/web/src/data/stretches";
import { pictureOf, site } from "./builders";

/** Numbers as PackedBlocks.java writes them. */
function bytes(...numbers: number[]): Uint8Array {
    return Uint8Array.from(
        numbers.flatMap((number) => {
            const rest = [];
            for (let value = number < 0 ? -number * 2 - 1 : number * 2; value > 0x7f; value = Math.floor(value / 128)) {
                rest.push((value % 128) | 0x80);
            }
            const whole = number < 0 ? -number * 2 - 1 : number * 2;
            return [...rest, Math.floor(whole / 128 ** rest.length)];
        }),
    );
}

test("columns are unpacked from differences and units", () => {
    const columns = [[0, 100, 5], [0, 2, 0], [0, 2, 0], [9, 3, 400], [9, 2 ** 38, -7], [0, 4, 1], [0, 700, 3]];
    const rows = unpacked(bytes(2, ...columns.flat()));
    assert.deepEqual([...rows.born], [100, 105]);
    assert.deepEqual([...rows.died], [102, NEVER]);
    assert.deepEqual([...rows.released], [101, NEVER]);
    assert.deepEqual([...rows.bytes], [1536, 204800]);
    assert.deepEqual([...rows.address], [2 ** 47, 2 ** 47 - 7 * 512]);
    assert.deepEqual([...rows.site, ...rows.call], [4, 1, 700, 3]);
});

test("what is cut off ends the numbers, and nothing else", () => assert.equal(unpacked(bytes(3)).count, 3));

test("allocations of several stretches are joined by birth, each once", () => {
    const rows = (list: [number, number, number, number][]) => pictureOf(100, [site("a")], list).allocations;
    const base = rows([[-1, NEVER, 1, 0], [-1, 9, 2, 0], [30, 80, 3, 0]]);
    const all = joined(base, joined(rows([[12, 40, 4, 0], [35, 60, 5, 0]]), rows([[35, 60, 5, 0], [50, 60, 6, 0]])));
    assert.deepEqual([...all.bytes], [1, 2, 4, 3, 5, 6]);
    assert.equal(rowOf(all, nameOf(rows([[35, 60, 5, 0]]), 0)), 4);
    assert.equal(rowOf(all, { born: 36, address: 0 }), -1);
    assert.equal(rowOf(all, null), -1);
});

function stretched(): ReturnType<typeof pictureOf> {
    const stretch = (from: number, to: number) => ({ from, to, read: () => new Promise<never>(() => undefined) });
    return {
        ...pictureOf(1000, [site("a")], []),
        moments: keptMoments([-1, 50, 51, 52, 53, 700, 999], [], []),
        stretches: new Stretches([stretch(400, 500), stretch(54, 100), stretch(500, 520)]),
    };
}

test("a page has the moments and the stretches, read or not", () => {
    const picture = stretched();
    assert.deepEqual([49, 50, 53, 54, 99, 100, 450, 519, 520].map((event) => isKept(picture, event)), [false, true, true, true, true, false, true, true, false]);
    assert.deepEqual([52, 54, 450].map((event) => isKnown(picture, event)), [true, false, false]);
    assert.deepEqual([isKeptThroughout(picture, 50, 100), isKeptThroughout(picture, 50, 101), isKeptThroughout(picture, 405.5, 519.5)], [true, false, true]);
    assert.equal(keptShare(picture), (166 + 4 + 2) / 1000);
    assert.equal(keptShare(pictureOf(9, [], [])), 1);
});

test("the nearest event that a page has, and the next", () => {
    const picture = stretched();
    assert.deepEqual([450, 120, 390, 600, 610, 650].map((event) => nearestKept(picture, event)), [450, 99, 400, 519, 700, 700]);
    assert.deepEqual([99, 519, 53, 700].map((event) => neighbourKept(picture, event, 1)), [400, 700, 54, 999]);
    assert.deepEqual([400, 50, 700, -1].map((event) => neighbourKept(picture, event, -1)), [99, -1, 519, -1]);
    assert.equal(nearestRun(picture, 150, 60), 430);
    assert.equal(nearestRun(picture, 150, 40), 80);
    assert.equal(nearestRun(picture, 150, 200), null);
});

test("a run of events goes on from moments to stretches, as far as it is wanted", () => {
    const picture = stretched();
    assert.deepEqual(runAround(picture, 60, 1000), { from: 50, to: 100 });
    assert.deepEqual(runAround(picture, 450, 1000), { from: 400, to: 520 });
    assert.deepEqual(runAround(picture, 450, 20), { from: 430, to: 470 });
    assert.equal(runAround(picture, 700, 1000), null);
    assert.equal(runAround(picture, 200, 1000), null);
    assert.deepEqual(runAround(pictureOf(40, [], []), 7, 1000), { from: -1, to: 40 });
});
