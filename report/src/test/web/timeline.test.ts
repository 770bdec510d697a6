import assert from "node:assert/strict";
import { test } from "node:test";
import { eventAxis, timeAxis } from "../../main/web/src/timeline/axis";
import { bandAt, Columns } from "../../main/web/src/timeline/columns";
import { annotationAt, annotationRows, geometryFor } from "../../main/web/src/timeline/geometry";
import { momentAt, momentPlace, momentTotals, stepAt } from "../../main/web/src/timeline/moment";
import { keptMoments } from "../../main/web/src/data/kept";
import { nearestRun } from "../../main/web/src/data/nearest";
import { decodeClock } from "../../main/web/src/data/clock";
import { decodeLevel } from "../../main/web/src/data/pyramid";
import { floatColumn, intColumn, pictureOf, site } from "./builders";

const NEVER = 2147483647;

const LEVEL = decodeLevel({
    buckets: 4,
    firstEvent: intColumn([0, 10, 20, 30, 40]),
    highest: [-1, 4, 0, 9],
    live: floatColumn([5, 70, 20, 30]),
    liveMin: floatColumn([0, 5, 10, 20]),
    reserved: floatColumn([100, 100, 100, 100]),
    bySite: [floatColumn([5, 60, 20, 10]), floatColumn([0, 10, 0, 20])],
});

const CLOCK = decodeClock({ event: [0, 10, 10, 10, 9], timeUs: [0, 100, 900, -5, 4005] });

test("the axis of time maps events to times and back", () => {
    const axis = timeAxis(CLOCK);
    assert.ok(axis !== null);
    assert.equal(axis.fromEvent(15), 550);
    assert.equal(axis.toEvent(550), 15);
    assert.equal(axis.fromEvent(-1), 0);
    assert.equal(axis.whole.to, 5000);
    assert.deepEqual([...axis.edges(LEVEL)], [0, 100, 1000, 1000, 5000]);
});

test("there is no axis of time where no time passes", () => {
    assert.equal(timeAxis(null), null);
    assert.equal(timeAxis(decodeClock({ event: [0, 9], timeUs: [0, 0] })), null);
});

test("a column of several buckets shows the highest", () => {
    const picture = { ...pictureOf(40, [site("a"), site("b")], []), levels: [LEVEL] };
    const source = new Columns(picture).source(eventAxis(40), { from: 0, to: 40 }, 2, { small: 0, below: 0 });
    const column = source.column(0, 20);
    assert.equal(source.exact, null);
    assert.equal(source.eventsOfColumn, 20);
    assert.deepEqual([...column.top.slice(0, 2)], [60, 70]);
    assert.equal(column.event, 14);
    assert.deepEqual([source.neighbour(14, -1), source.neighbour(14, 1), source.neighbour(39, 1)], [-1, 20, 39]);
    assert.equal(bandAt(column, 65), 1);
    assert.equal(bandAt(column, 71), -1);
    assert.deepEqual([...source.column(20, 40).top.slice(0, 2)], [10, 30]);
});

test("few events in view show single allocations, by site and then by birth", () => {
    const picture = pictureOf(40, [site("a"), site("b")], [
        [-1, NEVER, 7, 1],
        [3, 9, 11, 0],
        [5, 6, 13, 1],
    ]);
    const source = new Columns({ ...picture, levels: [LEVEL] }).source(eventAxis(40), { from: 0, to: 20 }, 400, { small: 0, below: 0 });
    assert.notEqual(source.exact, null);
    const at = (event: number) => {
        const column = source.column(event, event + 0.01);
        return [...column.top.slice(0, column.count)];
    };
    assert.deepEqual(at(0), [7]);
    assert.deepEqual(at(3), [11, 18]);
    assert.deepEqual(at(5), [11, 18, 31]);
    assert.deepEqual(at(9), [7]);
});

test("single allocations are drawn only where all are known", () => {
    const picture = { ...pictureOf(40, [site("a"), site("b")], [[3, 9, 11, 0]]), levels: [LEVEL] };
    const around = [-1, 2, 3, 4, 5, 6, 7, 8, 9, 39];
    const kept = { ...picture, moments: keptMoments(around, [], []) };
    const isExact = (from: number, to: number) => new Columns(kept).source(eventAxis(40), { from, to }, 400, { small: 0, below: 0 }).exact !== null;
    assert.deepEqual([isExact(2, 10), isExact(2.5, 9.5), isExact(2, 11), isExact(1.9, 5)], [true, true, false, false]);
    assert.equal(nearestRun(kept, 30, 4), 8);
    assert.equal(nearestRun(kept, 30, 12), null);
});

test("neighbours too small to be seen are one band, as long as they live throughout", () => {
    const picture = pictureOf(40, [site("a")], [
        [-1, NEVER, 3, 0],
        [-1, NEVER, 5, 0],
        [-1, NEVER, 700, 0],
        [8, 9, 2, 0],
    ]);
    const column = new Columns({ ...picture, levels: [LEVEL] }).source(eventAxis(40), { from: 0, to: 20 }, 400, { small: 10, below: 0 }).column(8, 8.01);
    assert.deepEqual([...column.top.slice(0, column.count)], [8, 708, 710]);
    assert.deepEqual([...column.allocation.slice(0, column.count)], [-1, 2, 3]);
});

test("what lies below the view is one band, however large", () => {
    const picture = pictureOf(40, [site("a")], [
        [-1, NEVER, 3000, 0],
        [-1, NEVER, 5000, 0],
        [-1, NEVER, 700, 0],
    ]);
    const sight = { small: 10, below: 8100 };
    const column = new Columns({ ...picture, levels: [LEVEL] }).source(eventAxis(40), { from: 0, to: 20 }, 400, sight).column(8, 8.01);
    assert.deepEqual([...column.top.slice(0, column.count)], [8000, 8700]);
});

test("annotations that overlap stand in rows of their own", () => {
    const ranges = [
        { name: "step", from: 0, to: 100 },
        { name: "forward", from: 0, to: 40 },
        { name: "backward", from: 40, to: 90 },
        { name: "inner", from: 5, to: 10 },
        { name: "innermost", from: 6, to: 7 },
    ];
    assert.deepEqual([...annotationRows(ranges, 3)], [0, 1, 1, 2, -1]);
    assert.deepEqual([...annotationRows(ranges, 16)], [0, 1, 1, 2, 3]);
    const geometry = geometryFor(1000, { hasPhases: false, hasSteps: true, annotationRows: 3 });
    const at = (row: number, event: number) => annotationAt(ranges, annotationRows(ranges, 3), geometry, geometry.annotationTop + 17 * row + 5, event);
    assert.deepEqual([at(0, 50), at(1, 39), at(1, 60), at(2, 7), at(2, 50), at(3, 7), at(-1, 7)], [0, 1, 2, 3, -1, -1, -1]);
});

test("events belong to steps, but not before the first or after the last", () => {
    const steps = { steps: Int32Array.of(10, 20, 30) };
    assert.equal(stepAt(steps, 9), null);
    assert.equal(stepAt(steps, 10), 0);
    assert.equal(stepAt(steps, 29), 1);
    assert.equal(stepAt(steps, 30), null);
});

test("a moment has its recorded time, or is about where others are", () => {
    const picture = { ...pictureOf(40, [], []), clock: CLOCK };
    const view = { picture, axes: { events: eventAxis(40), time: timeAxis(CLOCK) } };
    assert.equal(momentPlace(momentAt(view, 20)), "event 20 · +1.00 ms");
    assert.equal(momentPlace(momentAt({ ...view, picture: { ...picture } }, 15)), "event 15 · about +550 µs");
});

test("a moment's figures are exact where its blocks are known, else the highest around it", () => {
    const picture = { ...pictureOf(40, [site("a"), site("b")], [[-1, NEVER, 7, 1], [13, 19, 11, 0]]), levels: [LEVEL] };
    const view = { picture, axes: { events: eventAxis(40), time: null } };
    assert.deepEqual(momentAt(view, 15.9).bySite, [11, 7]);
    assert.equal(momentTotals(momentAt(view, 15)), "18 B live · 0 B reserved");
    assert.equal(momentTotals(momentAt(view, 19)), "7 B live · 0 B reserved");
    const thinned = { ...picture, moments: keptMoments([-1, 19, 39], [7, 9, 7], [20, 20, 20]) };
    assert.equal(momentTotals(momentAt({ ...view, picture: thinned }, 15)), "up to 70 B live · up to 100 B reserved");
    assert.equal(momentTotals(momentAt({ ...view, picture: thinned }, 14)), "70 B live · up to 100 B reserved");
    assert.deepEqual(momentAt({ ...view, picture: thinned }, 14).bySite, [60, 10]);
    assert.equal(momentTotals(momentAt({ ...view, picture: thinned }, 19)), "9 B live · 20 B reserved");
});

test("a block is found in a band of several, and outlined for as long as it lives", () => {
    const picture = pictureOf(40, [site("a"), site("b")], [
        [-1, NEVER, 3, 0],
        [-1, NEVER, 5, 0],
        [4, 9, 100, 0],
        [6, NEVER, 50, 1],
    ]);
    const { exact, column } = new Columns({ ...picture, levels: [LEVEL] }).source(eventAxis(40), { from: 0, to: 20 }, 400, { small: 10, below: 0 });
    assert.ok(exact !== null);
    const at = (event: number, band: number, bytes: number) => exact.rowAt(column(event, event + 0.01), band, bytes);
    assert.deepEqual([at(2, 0, 1), at(2, 0, 4), at(5, 1, 60), at(7, 2, 110), at(10, 1, 20)], [0, 1, 2, 3, 3]);
    assert.deepEqual(exact.outline(1).map(({ bottom, top }) => [bottom, top]), [[3, 8], [3, 8], [3, 8], [3, 8]]);
    assert.deepEqual(exact.outline(2), [{ from: 4, to: 6, bottom: 8, top: 108 }, { from: 6, to: 9, bottom: 8, top: 108 }]);
    assert.deepEqual(exact.outline(3), [{ from: 6, to: 9, bottom: 108, top: 158 }, { from: 9, to: 20, bottom: 8, top: 58 }]);
    assert.deepEqual(exact.outline(-1), []);
});
