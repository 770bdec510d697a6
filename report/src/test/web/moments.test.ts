import assert from "node:assert/strict";
import { test } from "node:test";
import { NEVER } from "../../main/web/src/data/allocations";
import { keptMoments } from "../../main/web/src/data/kept";
import { nearestKept, neighbourKept } from "../../main/web/src/data/nearest";
import { grownByCall, foundByCall, LEFT_OUT, liveByCall, totalsAt, treeOf } from "../../main/web/src/data/moments";
import { decodePicture, namedParts, stackLines, type Picture } from "../../main/web/src/data/picture";
import { Stretches } from "../../main/web/src/data/stretches";
import { userFramesOnly } from "../../main/web/src/data/fold";
import { ChosenMoment } from "../../main/web/src/moment/chosenMoment";
import { flameText, flameTree } from "../../main/web/src/flame/flameSource";
import { floatColumn, intColumn, pictureOf, segmentAt, site } from "./builders";

const USER = 0;
const TORCH = 2;
const OTHER = 5;

/** all -> main -> (linear, loss): weights under linear, losses under loss, one more at every tenth event. */
function training(): Picture {
    const picture = pictureOf(100, [site("linear"), site("loss", 0)], [
        [-1, NEVER, 5000, 0],
        [10, NEVER, 30, 1],
        [11, 13, 700, 0],
        [20, NEVER, 30, 1],
        [21, 23, 700, 0],
    ]);
    picture.allocations.call = Int32Array.of(2, 3, 2, 3, 2);
    picture.calls = { frame: Int32Array.of(-1, 0, 1, 2), parent: Int32Array.of(-1, 0, 1, 1), kind: Int32Array.of(OTHER, USER, TORCH, USER) };
    picture.frames = [["/app/main.py", 5, "main"], ["linear.py", 134, "forward"], ["/app/train.py", 41, "loss"]];
    return picture;
}

function kept(picture: Picture, event: number[], live: number[], reserved: number[]): Picture {
    return { ...picture, moments: keptMoments(event, live, reserved) };
}

test("where all moments are known, the nearest is the event itself", () => {
    const picture = training();
    assert.equal(nearestKept(picture, 42.7), 42);
    assert.equal(nearestKept(picture, -9), -1);
    assert.equal(nearestKept(picture, 1e9), 99);
    assert.equal(neighbourKept(picture, 42, 1), 43);
    assert.equal(neighbourKept(picture, -1, -1), -1);
});

test("else it is the nearest kept, the earlier of two", () => {
    const picture = kept(training(), [-1, 10, 20, 99], [0, 0, 0, 0], [0, 0, 0, 0]);
    assert.equal(nearestKept(picture, 14), 10);
    assert.equal(nearestKept(picture, 15), 10);
    assert.equal(nearestKept(picture, 16), 20);
    assert.equal(nearestKept(picture, 98), 99);
    assert.equal(neighbourKept(picture, 10, 1), 20);
    assert.equal(neighbourKept(picture, 10, -1), -1);
    assert.equal(neighbourKept(picture, 99, 1), 99);
});

test("what is live at a moment is added up by call, callers hold what they call", () => {
    const tree = treeOf(training(), liveByCall(training(), 12));
    assert.deepEqual([...tree.frame], [-1, 0, 1, 2]);
    assert.deepEqual([...tree.parent], [-1, 0, 1, 1]);
    assert.deepEqual([...tree.bytes], [5730, 5730, 5700, 30]);
    assert.deepEqual([...tree.blocks], [3, 3, 2, 1]);
    assert.deepEqual([...tree.found], [30, 30, 0, 30]);
    assert.deepEqual([...userFramesOnly(tree).found], [30, 30, 30]);
});

test("calls that hold nothing are not in the tree", () => {
    const tree = treeOf(training(), liveByCall(training(), 5));
    assert.deepEqual([...tree.frame], [-1, 0, 1]);
    assert.deepEqual([...tree.bytes], [5000, 5000, 5000]);
});

test("growth between two moments leaves out what is as much as before, and what is less", () => {
    const grown = treeOf(training(), grownByCall(training(), 12, 22));
    assert.deepEqual([...grown.bytes], [30, 30, 30]);
    assert.deepEqual([...grown.frame], [-1, 0, 2]);
    assert.deepEqual([...treeOf(training(), grownByCall(training(), 12, 15)).bytes], [0]);
    assert.deepEqual([...treeOf(training(), grownByCall(training(), 15, 21)).bytes], [730, 730, 700, 30]);
});

test("what findings are about is what is live of their sites", () => {
    assert.deepEqual([...treeOf(training(), foundByCall(training(), 12)).bytes], [30, 30, 30]);
});

test("live bytes whose blocks are not in the page have a node of their own", () => {
    const picture = kept(training(), [-1, 12, 99], [5000, 6000, 5060], [0, 8000, 0]);
    const tree = treeOf(picture, liveByCall(picture, 12));
    assert.equal(tree.bytes[0], 6000);
    assert.equal(tree.frame[tree.frame.length - 1], LEFT_OUT);
    assert.equal(tree.bytes[tree.bytes.length - 1], 270);
    assert.equal(tree.parent[tree.parent.length - 1], 0);
    assert.deepEqual(totalsAt(picture, 12), { live: 6000, reserved: 8000 });
});

test("totals of a moment come from blocks and segments where nothing else says them", () => {
    const picture = { ...training(), segments: [segmentAt(0, 8192), segmentAt(9000, 100, { born: 15, died: 50 })] };
    assert.deepEqual(totalsAt(picture, 12), { live: 5730, reserved: 8192 });
    assert.deepEqual(totalsAt(picture, 15), { live: 5030, reserved: 8292 });
});

test("a moment follows what is wanted and says which it shows", () => {
    const moment = new ChosenMoment(kept({ ...training(), peak: 21 }, [-1, 10, 20, 99], [0, 0, 0, 0], [0, 0, 0, 0]));
    const seen: number[] = [];
    moment.onChange(() => seen.push(moment.event));
    assert.equal(moment.wanted, 21);
    assert.equal(moment.event, 20);
    moment.choose(60);
    moment.choose(60);
    moment.step(-1);
    moment.compareWith(10);
    assert.deepEqual(seen, [99, 20, 20]);
    assert.equal(moment.mark, 10);
});

test("a failed request is shown first", () => {
    const oom = [{ event: 13, requested: 9, free: 1, site: "" }, { event: 33, requested: 9, free: 1, site: "" }];
    assert.equal(new ChosenMoment({ ...training(), oom }).event, 33);
});

test("the flame graph says what it shows", () => {
    const moment = new ChosenMoment({ ...training(), peak: 12 });
    const say = (kind: "live" | "found" | "since") => flameText(kind, moment, flameTree(kind, moment), (event) => `event ${event}`);
    assert.equal(say("live"), "5.60 KiB live at event 12.");
    assert.equal(say("found"), "30 B that findings are about, live at event 12.");
    moment.compareWith(5);
    assert.equal(say("since"), "730 B more than at A, in the calls that grew from event 5 to event 12.");
});

test("the stack of an allocation is the path from its call to the root", () => {
    assert.deepEqual(stackLines(training(), 3).map(({ text }) => text), ["/app/train.py:41  loss", "/app/main.py:5  main"]);
});

test("of a line that a finding is about in part, the other part is the rest", () => {
    const sites = namedParts([site("a", 0), site("a"), { ...site("a"), kind: "backward" }, site("b")]);
    assert.deepEqual(sites.map((one) => one.label), ["a", "rest of a", "rest of a backward", "b"]);
});

test("events of allocations are decoded from differences", () => {
    const none = intColumn([]);
    const picture = decodePicture(
        {
            input: 0, device: 0, events: 20, startTimeUs: null, endTimeUs: null, sites: [site("a", 1)], frames: [], clock: null, timeline: { levels: [] },
            calls: { frame: intColumn([-1]), parent: intColumn([-1]), kind: intColumn([5]) },
            allocations: {
                born: [-1, 4, 0], life: [9, 0, 2], released: [9, 0, 0],
                bytes: floatColumn([1, 2, 3]), address: floatColumn([0, 1, 2]), site: none, call: none, grew: none,
            },
            moments: { event: [-1, 5, 3], live: [7, -2, 4], reserved: [9, 0, 1] }, steps: { starts: none }, annotations: [], marks: { peak: 0, oom: [] }, deviceBytes: null, segments: [], omittedAllocations: 8, omittedSegments: 3,
        },
        new Stretches([]),
        [0, 0],
    );
    assert.deepEqual([...picture.allocations.born], [-1, 3, 3]);
    assert.deepEqual([...picture.allocations.died], [8, NEVER, 5]);
    assert.deepEqual([...picture.allocations.released], [7, NEVER, NEVER]);
    assert.deepEqual(picture.moments, keptMoments([-1, 4, 7], [7, 5, 9], [9, 9, 10]));
    assert.equal(picture.omittedSegments, 3);
    assert.equal(picture.sites[0].finding, 0, "findings about one line share a colour");
});
