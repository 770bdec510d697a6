/** What a line retains at the end of each step, with the trend fitted to it and the steps at which growth begins and ends. */
import type { Finding, Growth } from "report";
import { svg } from "../shared/dom";
import { formatBytes, formatCount, trimZeros } from "../shared/format";
import { byteTicks, countTicks, toPixel, type Scale } from "../shared/scale";
import { fittedLine, type FittedLine } from "./fit";

const WIDTH = 560;
const HEIGHT = 230;
const LEFT = 62;
const RIGHT = 10;
const TOP = 16;
const BOTTOM = 34;
/** Below the axis: as far as large letters of a narrow window need. */
const LABELS = 22;

interface Plane {
    x: Scale;
    y: Scale;
}

/** The chart; null where there are too few points to draw. */
export function growthChart(finding: Finding): SVGElement | null {
    const growth = finding.growth;
    if (growth === null || growth.floor.length < 2) {
        return null;
    }
    const plane = planeFor(growth);
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": summary(finding, growth) });
    chart.append(...grid(plane), ...floor(growth, plane), ...changePoints(growth, plane), ...fit(finding, growth, plane));
    return chart;
}

function planeFor(growth: Growth): Plane {
    const steps = growth.floor.map((point) => point.step);
    const highest = Math.max(...growth.floor.map((point) => point.bytes), 1);
    return {
        x: { from: steps[0], to: Math.max(steps[steps.length - 1], steps[0] + 1), start: LEFT, end: WIDTH - RIGHT },
        y: { from: 0, to: highest * 1.06, start: HEIGHT - BOTTOM, end: TOP },
    };
}

function summary(finding: Finding, growth: Growth): string {
    const last = growth.floor[growth.floor.length - 1];
    const slope = finding.bytes_per_step === null ? "" : `, by ${formatBytes(finding.bytes_per_step)} per step`;
    return `What is retained at the end of each step grows from step ${growth.first_step} to step ${growth.last_step}${slope}, to ${formatBytes(last.bytes)} at step ${last.step}.`;
}

function grid({ x, y }: Plane): Node[] {
    const rows = byteTicks(y.from, y.to, 4).flatMap((bytes) => {
        const at = toPixel(y, bytes);
        return [
            svg("line", { x1: x.start, x2: x.end, y1: at, y2: at, class: "grid" }),
            svg("text", { x: x.start - 8, y: at + 4, class: "tick end" }, trimZeros(formatBytes(bytes))),
        ];
    });
    const columns = countTicks(x.from, x.to, 6).map((step) =>
        svg("text", { x: toPixel(x, step), y: y.start + LABELS, class: "tick middle" }, formatCount(step)),
    );
    const axis = svg("line", { x1: x.start, x2: x.end, y1: y.start, y2: y.start, class: "axis" });
    return [...rows, ...columns, axis, svg("text", { x: x.start - 16, y: y.start + LABELS, class: "tick end" }, "step")];
}

function floor(growth: Growth, { x, y }: Plane): Node[] {
    const points = growth.floor.map((point) => `${toPixel(x, point.step).toFixed(1)},${toPixel(y, point.bytes).toFixed(1)}`);
    const last = growth.floor[growth.floor.length - 1];
    const area = `M${x.start},${y.start}L${points.join("L")}L${toPixel(x, last.step).toFixed(1)},${y.start}Z`;
    return [svg("path", { d: area, class: "area" }), svg("path", { d: `M${points.join("L")}`, class: "floor" })];
}

function changePoints(growth: Growth, plane: Plane): Node[] {
    const lastStep = growth.floor[growth.floor.length - 1].step;
    const marks = changePoint(growth.first_step, `grows from step ${formatCount(growth.first_step)}`, plane, 0);
    return growth.last_step < lastStep ? [...marks, ...changePoint(growth.last_step, `until step ${formatCount(growth.last_step)}`, plane, 14)] : marks;
}

function changePoint(step: number, label: string, { x, y }: Plane, drop: number): Node[] {
    const at = toPixel(x, step);
    const isRight = at > (x.start + x.end) * 0.6;
    return [
        svg("line", { x1: at, x2: at, y1: y.end, y2: y.start, class: "change" }),
        svg("text", { x: at + (isRight ? -6 : 6), y: y.end + 10 + drop, class: isRight ? "mark end" : "mark" }, label),
    ];
}

/** The 95% confidence interval of the slope, as a wedge on both sides of the trend; its slopes cross in the middle. */
function wedge({ low, high }: Growth, line: FittedLine, { x, y }: Plane): Node[] {
    if (low === null || high === null) {
        return [];
    }
    const centre = (line.first + line.last) / 2;
    const middle = (line.atFirst + line.atLast) / 2;
    const corner = (step: number, slope: number) => `${toPixel(x, step).toFixed(1)},${toPixel(y, Math.max(middle + slope * (step - centre), 0)).toFixed(1)}`;
    const half = (step: number) => `M${corner(centre, 0)}L${corner(step, low)}L${corner(step, high)}Z`;
    return [svg("path", { d: half(line.first) + half(line.last), class: "wedge" })];
}

function fit(finding: Finding, growth: Growth, plane: Plane): Node[] {
    const { x, y } = plane;
    const line = finding.bytes_per_step === null ? null : fittedLine(growth, finding.bytes_per_step);
    if (line === null) {
        return [];
    }
    const at = (bytes: number) => toPixel(y, Math.min(Math.max(bytes, y.from), y.to));
    return [...wedge(growth, line, plane), svg("line", { x1: toPixel(x, line.first), x2: toPixel(x, line.last), y1: at(line.atFirst), y2: at(line.atLast), class: "fit" })];
}
