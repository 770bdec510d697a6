/** A reference cycle as a drawing: its objects, the references between them, and which of those to cut. */
import type { Hop } from "report";
import { svg } from "../shared/dom";
import { shown } from "../shared/format";
import { referenceName } from "./hops";
import { NODE_HEIGHT, NODE_WIDTH, ring, type Arrow, type Node as Place } from "./ring";

/** Objects that are drawn; of longer cycles the middle is left out, as it is links of one chain. */
const MOST = 12;
const NODE_CHARACTERS = 28;
const NAME_CHARACTERS = 20;
const LONG_NAME_CHARACTERS = 30;
const HEAD = 7;

/** The drawing of a cycle of one object at least. */
export function cycleChart(hops: Hop[]): SVGElement {
    const drawn = shortened(hops);
    const { width, height, nodes, arrows } = ring(drawn.length);
    const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "ring", role: "img", "aria-label": cycleSentence(hops) });
    arrows.forEach((arrow, i) => chart.append(...reference(drawn[i], arrow)));
    nodes.forEach((node, i) => chart.append(object(drawn[i], node)));
    return chart;
}

/** The hops that are drawn, with one that stands for those that are not. */
export function shortened(hops: Hop[]): Hop[] {
    if (hops.length <= MOST) {
        return hops;
    }
    const half = MOST / 2;
    const left = hops.length - MOST + 1;
    const rest: Hop = { label: hops[half].label, type: "", text: `… ${left} more …`, verdict: "unknown", reason: "", suspect: false };
    return [...hops.slice(0, half), rest, ...hops.slice(hops.length - half + 1)];
}

/** A cycle in a sentence, for those who do not see it. */
export function cycleSentence(hops: Hop[]): string {
    const links = hops.slice(1).map((hop) => `${hop.label} leads to ${hop.text}`);
    const back = `${hops[0].label} leads back to the first`;
    const cut = hops.findIndex((hop) => hop.suspect);
    return shown(`A cycle: from ${hops[0].text}, ${[...links, back].join("; ")}. ${cut < 0 ? "" : `The reference to cut is ${referenceName(hops, cut)}.`}`, 1000);
}

function object(hop: Hop, { x, y }: Place): SVGElement {
    const text = svg("text", { x: x + NODE_WIDTH / 2, y: y + NODE_HEIGHT / 2 + 4, class: "middle" }, shown(hop.text, NODE_CHARACTERS));
    return svg("g", { class: "object" }, svg("title", {}, shown(hop.text)), svg("rect", { x, y, width: NODE_WIDTH, height: NODE_HEIGHT, rx: 4 }), text);
}

function reference(hop: Hop, { corners, name, anchor }: Arrow): SVGElement[] {
    const classes = hop.suspect ? "reference cut" : "reference";
    const line = svg("path", { d: `M${corners.map(({ x, y }) => `${x},${y}`).join("L")}`, class: "link" });
    const limit = anchor === "middle" ? NAME_CHARACTERS : LONG_NAME_CHARACTERS;
    const label = svg("text", { x: name.x, y: name.y, class: anchor }, shown(hop.suspect ? `✂ ${hop.label}` : hop.label, limit));
    return [svg("g", { class: classes }, svg("title", {}, shown(hop.suspect ? `${hop.label}: the reference to cut` : hop.label)), line, head(corners), label)];
}

/** The point of an arrow, in the direction of its last part. */
function head(corners: Arrow["corners"]): SVGElement {
    const end = corners[corners.length - 1];
    const before = corners[corners.length - 2];
    const dx = Math.sign(end.x - before.x) * HEAD;
    const dy = Math.sign(end.y - before.y) * HEAD;
    const [x, y] = [end.x - dx, end.y - dy];
    return svg("path", { d: `M${end.x},${end.y}L${x - dy / 2},${y + dx / 2}L${x + dy / 2},${y - dx / 2}Z`, class: "head" });
}
