/** Figures laid over each other on one axis: the floor of each as a line, and up to its highest values a veil. */
import { attributes, element, svg } from "../shared/dom";
import { formatBytes, shown, trimZeros } from "../shared/format";
import { byteTicks, toPixel, toValue } from "../shared/scale";
import { tooltip } from "../shared/tooltip";
import { bandAt, type Curve, HEIGHT, placeText, type Plane, planeOf, ticks, unit, WIDTH } from "./plane";

/** Curves with looks of their own; further ones look like earlier ones. */
const LOOKS = 8;
/** Curves that can be told apart at all. */
const MOST = 16;

/** The chart with its legend, in which curves can be switched off; null where there is nothing to draw. */
export function overlay(all: Curve[], axis: string): HTMLElement | null {
    const curves = all.filter(({ bands }) => bands.length > 1).slice(0, MOST);
    if (curves.length === 0) {
        return null;
    }
    const plane = planeOf(curves, axis);
    const drawn = curves.map((curve, i) => drawCurve(curve, i, plane));
    const label = `${curves.map(({ name }) => name).join("; ")}, over ${unit(axis)}`;
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart overlay", role: "img", "aria-label": shown(label, 600) }, ...grid(plane), ...drawn);
    followPointer(chart, curves, drawn, plane);
    const names = curves.map((curve, i) => legendButton(curve, i, drawn[i]));
    const left = all.length - curves.length;
    return element("div", "figure-chart", chart, element("div", "figure-legend", ...names, left > 0 && `${left} more are not drawn`));
}

function grid(plane: Plane): Node[] {
    const { x, y } = plane;
    const rows = byteTicks(y.from, y.to, 5).flatMap((bytes) => {
        const at = toPixel(y, bytes);
        return [svg("line", { x1: x.start, x2: x.end, y1: at, y2: at, class: "grid" }), svg("text", { x: x.start - 8, y: at + 4, class: "tick end" }, trimZeros(formatBytes(bytes)))];
    });
    const columns = ticks(plane).map(({ at, label }) => svg("text", { x: toPixel(x, at), y: y.start + 17, class: "tick middle" }, label));
    const axis = svg("line", { x1: x.start, x2: x.end, y1: y.start, y2: y.start, class: "axis" });
    return [...rows, ...columns, axis, svg("text", { x: x.start - 8, y: y.start + 17, class: "tick end" }, unit(plane.axis))];
}

function drawCurve({ bands, grows }: Curve, index: number, { x, y, origin }: Plane): SVGGElement {
    const at = (position: number) => toPixel(x, position - origin).toFixed(1);
    const low = bands.map((band) => `${at(band.position)},${toPixel(y, band.low).toFixed(1)}`);
    const high = bands.map((band) => `${at(band.position)},${toPixel(y, band.high).toFixed(1)}`);
    const swings = bands.some((band) => band.high > band.low);
    const veil = swings && svg("path", { d: `M${high.join("L")}L${[...low].reverse().join("L")}Z`, class: "veil" });
    return svg("g", { class: `line s${index % LOOKS}${grows ? " grows" : ""}` }, veil, svg("path", { d: `M${low.join("L")}`, class: "low" }));
}

function legendButton(curve: Curve, index: number, drawn: SVGGElement): HTMLElement {
    const key = svg("svg", { viewBox: "0 0 22 10", class: `key s${index % LOOKS}`, "aria-hidden": "true" }, svg("path", { d: "M0,5L22,5", class: "low" }));
    const made = attributes(element("button", "", key, shown(curve.name, 120)), { type: "button", "aria-pressed": "true" });
    made.addEventListener("click", () => {
        const isShown = made.getAttribute("aria-pressed") !== "true";
        made.setAttribute("aria-pressed", String(isShown));
        drawn.toggleAttribute("hidden", !isShown);
    });
    return made;
}

/** What every curve says where the pointer is. */
function followPointer(chart: SVGSVGElement, curves: Curve[], drawn: SVGGElement[], plane: Plane): void {
    const cursor = svg("line", { y1: plane.y.end, y2: plane.y.start, class: "cursor", hidden: true });
    chart.append(cursor);
    chart.addEventListener("pointermove", (event) => {
        const box = chart.getBoundingClientRect();
        const pixel = ((event.clientX - box.left) / box.width) * WIDTH;
        const position = toValue(plane.x, Math.min(Math.max(pixel, plane.x.start), plane.x.end)) + plane.origin;
        attributes(cursor, { x1: pixel, x2: pixel, hidden: pixel < plane.x.start || pixel > plane.x.end });
        const said = curves.filter((_, i) => !drawn[i].hasAttribute("hidden")).flatMap((curve) => curveText(curve, position));
        tooltip.show(event, [placeText(plane.axis, plane.origin, position), ...said]);
    });
    chart.addEventListener("pointerleave", () => {
        attributes(cursor, { hidden: true });
        tooltip.hide();
    });
}

function curveText({ name, bands }: Curve, position: number): string[] {
    const band = bandAt(bands, position);
    if (band === null) {
        return [];
    }
    const low = formatBytes(band.low);
    const high = formatBytes(band.high);
    return [`${low === high ? low : `${low} to ${high}`}  ${name}`];
}
