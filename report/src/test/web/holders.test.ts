import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisResult, Finding, Hop, Line } from "../../../../base/target/schema/report";
import { deviceName, ofInput } from "../../main/web/src/data/inputs";
import { cycleSentence, shortened } from "../../main/web/src/verdict/cycleChart";
import { findingText } from "../../main/web/src/verdict/findingText";
import { referenceName, verdictText } from "../../main/web/src/verdict/hops";
import { NODE_HEIGHT, NODE_WIDTH, ring, type Point } from "../../main/web/src/verdict/ring";

const COUNTS = [1, 2, 3, 4, 5, 8, 11, 12];

function hop(label: string, text: string, more: Partial<Hop> = {}): Hop {
    return { label, type: "type", text, verdict: "unknown", reason: "", suspect: false, ...more };
}

const pair = [hop(".parent", "train.Child", { suspect: true, verdict: "stuck" }), hop(".child", "train.Parent", { verdict: "stuck" })];

function lines(rows: [string, string][]): Line[] {
    return rows.map(([label, text]) => ({ label, text }));
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

test("who does not see the drawing is told the path around and what to cut", () => {
    assert.equal(cycleSentence(pair), "A cycle: from train.Child, .child leads to train.Parent; .parent leads back to the first. The reference to cut is .parent.");
    assert.ok(cycleSentence([hop(".x".repeat(999), "node")]).length <= 1000);
});

test("an item is named with its container, which in a cycle may stand at the end", () => {
    const cycle = [hop("[*]", "Child"), hop(".items", "list")];
    assert.equal(referenceName(cycle, 0), ".items[*]");
    assert.equal(referenceName(cycle, 1), ".items");
});

const finding = {
    severity: "warning",
    title: "a result is kept",
    site: { kind: "user", file: "/app/train.py", line: 41, function: "step", label: "/app/train.py:41 step" },
    summary: "What is kept grows.",
    lines: lines([["held", "at most 5.67 GiB"], ["grows", "194 MiB per step"]]),
    holders: [{ lines: lines([["held by", "losses of module train"], ["path", "module train → losses"], ["root ref", "losses"]]) }, { lines: lines([["held by", "another"]]) }],
    evidence: [{ text: "it never shrinks" }, { text: "960 MiB at model.py:18" }],
    advice: [{ action: "Keep a number.", why: "It holds nothing (about 5.67 GiB).", before: "total += loss", after: "total += loss.item()", patch: null, patch_safety: null, patch_reason: null }, { action: "Or detach it.", why: "The same.", before: "", after: "", patch: null, patch_safety: null, patch_reason: null }],
    confidence: 0.99,
    confidence_reasons: ["it rose", "nothing was freed"],
    id: "4b91",
};

function copied(more: object = {}): string {
    return findingText({ ...finding, ...more } as unknown as Finding);
}

test("the copied text has the lines and sentences of the report, of several owners the first", () => {
    assert.deepEqual(copied().split("\n"), [
        "warning: a result is kept",
        "/app/train.py:41 step",
        "",
        "What is kept grows.",
        "",
        "held: at most 5.67 GiB",
        "grows: 194 MiB per step",
        "",
        "held by: losses of module train",
        "path: module train → losses",
        "root ref: losses",
        "",
        "because",
        "- it never shrinks",
        "- 960 MiB at model.py:18",
        "",
        "what to do",
        "1. Keep a number.",
        "   It holds nothing (about 5.67 GiB).",
        "   - total += loss",
        "   + total += loss.item()",
        "2. Or detach it.",
        "   The same.",
        "",
        "sure: 99%: it rose; nothing was freed",
        "id: 4b91",
    ]);
});

test("what a finding does not have leaves no gap in the copied text", () => {
    const text = copied({ lines: [], holders: [], evidence: [], advice: [], confidence: null, confidence_reasons: [] });
    assert.equal(text, "warning: a result is kept\n/app/train.py:41 step\n\nWhat is kept grows.\n\nid: 4b91");
});

test("devices and texts are told with their input where there are several recordings", () => {
    const device = { input: 0, device: 0, name: "device 0" };
    const one = { inputs: [{ path: "/runs/a.pickle" }, { path: "/runs/a.holders" }], dumps: [{ inputs: [1] }], devices: [device] } as unknown as AnalysisResult;
    assert.equal(deviceName(one, 0, 0), "device 0");
    assert.equal(ofInput("memory", one, 0), "memory");
    const two = { ...one, dumps: [] };
    assert.equal(deviceName(two, 0, 0), "device 0 of a.pickle");
    assert.equal(deviceName(two, 1, 3), "device 3 of a.holders");
    assert.equal(ofInput("memory", two, 1), "memory of a.holders");
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
