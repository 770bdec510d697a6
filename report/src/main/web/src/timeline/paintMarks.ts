/** Paints what is marked in the plot: where growth begins and ends, the peak, failed requests, cursors, what is selected. */
import { formatBytes } from "../shared/format";
import { css } from "../shared/palette";
import { toPixel } from "../shared/scale";
import { crisp, type Pen } from "./pen";

/** Texts stand in rows of this height, so that none covers another. */
const TEXT = 15;

export function paintChangePoints(pen: Pen): void {
    const rows = new TextRows(pen);
    for (const change of pen.scene.changes) {
        const x = crisp(pen.at(change.event));
        if (pen.isWithin(x)) {
            pen.context.strokeStyle = css(pen.theme.findings[change.finding % pen.theme.findings.length]);
            pen.context.setLineDash([1, 3]);
            pen.upright(x);
            pen.context.setLineDash([]);
            pen.label(change.label, x, pen.geometry.plotTop + 24 + TEXT * rows.rowFor(change.label, x));
        }
    }
}

/** Finds the first row in which a text beside a line covers none of those before it. */
class TextRows {
    private readonly ends: number[] = [];

    constructor(private readonly pen: Pen) {}

    rowFor(text: string, x: number): number {
        const found = this.ends.findIndex((end) => end < x);
        const row = found < 0 ? this.ends.length : found;
        this.ends[row] = x + this.pen.context.measureText(text).width + 20;
        return row;
    }
}

/** Failed requests: a line for each, and a text where the one before leaves room. */
export function paintFailures(pen: Pen): void {
    let free = -Infinity;
    for (const mark of pen.scene.picture.oom) {
        const x = crisp(pen.at(mark.event));
        if (pen.isWithin(x)) {
            pen.context.strokeStyle = css(pen.theme.ink);
            pen.upright(x);
            const text = `out of memory: ${formatBytes(mark.requested)} requested`;
            if (x > free) {
                pen.label(text, x, pen.geometry.plotTop + 8);
                free = x + pen.context.measureText(text).width + 24;
            }
        }
    }
}

export function paintPeak(pen: Pen): void {
    const { picture } = pen.scene;
    const x = pen.at(picture.peak);
    const finest = picture.levels[picture.levels.length - 1];
    if (finest === undefined || x < pen.geometry.left - 4 || x > pen.geometry.right + 4) {
        return;
    }
    const bytes = finest.live.reduce((a, b) => Math.max(a, b), 0);
    const y = toPixel(pen.y, bytes);
    pen.context.fillStyle = css(pen.theme.ink);
    pen.context.beginPath();
    pen.context.moveTo(x, y - 2);
    pen.context.lineTo(x - 4, y - 9);
    pen.context.lineTo(x + 4, y - 9);
    pen.context.fill();
    pen.label(`peak ${formatBytes(bytes)}`, x, Math.max(y - 6, pen.geometry.plotTop + 8));
}

export function paintSelection(pen: Pen): void {
    const { selection } = pen.scene.view;
    if (selection !== null) {
        const left = toPixel(pen.x, Math.min(selection.from, selection.to));
        const right = toPixel(pen.x, Math.max(selection.from, selection.to));
        pen.context.fillStyle = css(pen.theme.ink, 0.12);
        pen.context.fillRect(left, pen.geometry.plotTop, right - left, pen.geometry.plotBottom - pen.geometry.plotTop);
    }
}

/** The cursor that was set, the one under the pointer, and the moment A that others are compared with. */
export function paintCursors(pen: Pen): void {
    const { pinned, hovered, mark } = pen.scene.view;
    cursorLine(pen, hovered, [2, 2], "");
    cursorLine(pen, mark, [], "A");
    cursorLine(pen, pinned, [], mark === null ? "" : "B");
}

function cursorLine(pen: Pen, event: number | null, dash: number[], name: string): void {
    if (event === null) {
        return;
    }
    const x = crisp(pen.at(event));
    if (pen.isWithin(x)) {
        pen.context.strokeStyle = css(pen.theme.ink);
        pen.context.setLineDash(dash);
        pen.upright(x, pen.geometry.stepTop);
        pen.context.setLineDash([]);
        if (name !== "") {
            flag(pen, name, x);
        }
    }
}

/** A letter on a small ground, at the foot of a line. */
function flag(pen: Pen, name: string, x: number): void {
    const { context, geometry, theme } = pen;
    context.fillStyle = css(theme.ink);
    context.fillRect(x - 8, geometry.plotBottom - 16, 16, 16);
    context.fillStyle = css(theme.paper);
    context.textAlign = "center";
    context.fillText(name, x, geometry.plotBottom - 7.5);
}
