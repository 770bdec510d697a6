import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding, Holder, Hop } from "../../main/web/src/data/schema";
import { cycleSentence, shortened } from "../../main/web/src/verdict/cycleChart";
import { findingText } from "../../main/web/src/verdict/findingText";
import { backText, cycleText, holderLines, verdictText } from "../../main/web/src/verdict/holderText";
import { NODE_HEIGHT, NODE_WIDTH, ring, type Point } from "../../main/web/src/verdict/ring";

const COUNTS = [1, 2, 3, 4, 5, 8, 11, 12];

function hop(label: string, text: string, more: Partial<Hop> = {}): Hop {
    return { label, type: "type", text, verdict: "unknown", reason: "", suspect: false, ...more };
}

const pair = [hop(".parent", "train.Child", { suspect: true, verdict: "stuck" }), hop(".child", "train.Parent", { verdict: "stuck" })];

function holder(more: Partial<Holder> = {}): Holder {
    const path = [hop("", "module train"), hop("losses", "list, 3 items", { suspect: true }), hop("[*]", "Tensor []")];
    const common = { input: 1, title: "losses of module train", owner: "name", verdict: "unknown", path, growth: null, cycle: null };
    return { ...common, finding_bytes: 1536, finding_blocks: 3, retained_bytes: 3 << 20, shared_bytes: 0, ...more };
}

test("the boxes of a ring are within the drawing and never overlap", () => {
    for (const count of COUNTS) {
        const { width, height, nodes } = ring(count);
        assert.equal(nodes.length, count);
        for (const [i, node] of nodes.entries()) {
            assert.ok(node.x >= 0 && node.x + NODE_WIDTH <= width && node.y >= 0 && node.y + NODE_HEIGHT <= height);
            nodes.slice(0, i).forEach((other) => assert.ok(Math.abs(other.x - node.x) >= NODE_WIDTH || Math.abs(other.y - node.y) > NODE_HEIGHT));
        }
    }
});

test("every reference leads from the object before to its own, the first from the last", () => {
    for (const count of COUNTS) {
        const { nodes, arrows } = ring(count);
        assert.equal(arrows.length, count);
        arrows.forEach(({ corners }, i) => {
            assert.ok(touches(nodes[(i + count - 1) % count], corners[0]), `${i} of ${count} begins nowhere`);
            assert.ok(touches(nodes[i], corners[corners.length - 1]), `${i} of ${count} ends nowhere`);
        });
    }
});

test("references go straight, and no two lie on each other", () => {
    for (const count of COUNTS) {
        const parts = ring(count).arrows.flatMap(({ corners }) => corners.slice(1).map((corner, i) => [corners[i], corner]));
        parts.forEach(([from, to]) => assert.ok((from.x === to.x) !== (from.y === to.y)));
        assert.equal(new Set(parts.map((part) => JSON.stringify(part))).size, parts.length);
        const levels = parts.filter(([from, to]) => from.y === to.y).map(([from]) => from.y);
        assert.equal(new Set(levels).size, levels.length, `two references on one height of ${count}`);
    }
});

test("names stand within the drawing", () => {
    for (const count of COUNTS) {
        const { width, height, arrows } = ring(count);
        arrows.forEach(({ name }) => assert.ok(name.x > 0 && name.x < width && name.y > 0 && name.y <= height));
    }
});

test("of a long cycle the middle is left out, and the reference to cut stays", () => {
    const long = Array.from({ length: 40 }, (_, i) => hop(`.next${i}`, `node ${i}`, { suspect: i === 0 }));
    const drawn = shortened(long);
    assert.equal(drawn.length, 12);
    assert.equal(drawn[6].text, "… 29 more …");
    assert.deepEqual(drawn.slice(0, 6), long.slice(0, 6));
    assert.deepEqual(drawn.slice(7), long.slice(35));
    assert.equal(shortened(pair), pair);
});

test("who does not see the drawing is told the way around and what to cut", () => {
    assert.equal(cycleSentence(pair), "A cycle: from train.Child, .child leads to train.Parent; .parent leads back to the first. The reference to cut is .parent.");
    assert.ok(cycleSentence([hop(".x".repeat(999), "node")]).length <= 1000);
});

test("the copied text names the owner, the way and what to blame", () => {
    assert.deepEqual(holderLines(holder()), [
        "held by: losses of module train: 1.50 KiB in 3 blocks",
        "path: module train → losses: list, 3 items → [*]: Tensor []",
        "to blame: losses",
        "3.00 MiB come back if it goes.",
    ]);
    const cycle = { copies: 7, objects: 2, bytes: 9, collectable: true, hops: pair };
    assert.deepEqual(holderLines(holder({ cycle })).slice(1, 3), ["cycle: train.Child → .child: train.Parent → .parent: the first again", "cut at: .parent"]);
    const finding = { severity: "warning", title: "t", site: { kind: "no_stack" }, summary: "s", evidence: [], advice: [], confidence: 1, confidence_reasons: [], growth: null };
    const text = findingText({ ...finding, id: "1", bytes: 0, blocks: 0, holders: [holder()] } as unknown as Finding, null);
    assert.ok(text.includes("to blame: losses\n"));
});

test("what comes back, what grew and who ends a cycle is said in sentences", () => {
    const growth = { bytes: [0, 1536], items: [-1, 3], new_storages: 3 };
    const back = "3.00 MiB come back if it goes, and 512 B is its share of what others hold as well. From dump to dump: 0 B, 1.50 KiB; items none, 3; 3 new storages.";
    assert.equal(backText(holder({ shared_bytes: 512, growth })), back);
    const cycle = { copies: 1, objects: 2, bytes: 9, collectable: false, hops: pair };
    assert.match(cycleText(cycle), /^One cycle of 2 objects\. Python's garbage collector does not see/);
    assert.equal(cycleText({ ...cycle, copies: 1200, collectable: true }), "1,200 cycles of 2 objects each. Python's garbage collector ends them when it runs.");
});

test("an object of which nobody can tell anything gets no verdict", () => {
    assert.equal(verdictText(hop("", "x")), "");
    assert.equal(verdictText(hop("", "x", { verdict: "stuck" })), "");
    assert.equal(verdictText(hop("", "x", { verdict: "expected", reason: "a module" })), "expected: a module");
});

function touches(node: Point, point: Point): boolean {
    const isWithin = point.x >= node.x && point.x <= node.x + NODE_WIDTH && point.y >= node.y && point.y <= node.y + NODE_HEIGHT;
    const isEdge = [node.x, node.x + NODE_WIDTH].includes(point.x) || [node.y, node.y + NODE_HEIGHT].includes(point.y);
    return isWithin && isEdge;
}
