/** Paints the outline of a block over its whole life in view. */
import { css } from "../shared/palette";
import { toPixel } from "../shared/scale";
import type { OutlinePart } from "./exact";
import type { Pen } from "./pen";

/** The block under the pointer, and the one that was chosen. */
export interface Outlines {
    pointed: OutlinePart[];
    chosen: OutlinePart[];
}

export function paintOutlines(pen: Pen, { pointed, chosen }: Outlines): void {
    paintOutline(pen, chosen, 2.5);
    paintOutline(pen, pointed, 1.5);
}

/** Ink between two lines of paper is seen on every colour. */
function paintOutline(pen: Pen, parts: OutlinePart[], width: number): void {
    if (parts.length === 0) {
        return;
    }
    const path = outline(pen, parts);
    const { context, theme } = pen;
    context.fillStyle = css(theme.paper, 0.28);
    context.fill(path);
    context.lineJoin = "round";
    context.strokeStyle = css(theme.paper, 0.9);
    context.lineWidth = width + 2.5;
    context.stroke(path);
    context.strokeStyle = css(theme.ink);
    context.lineWidth = width;
    context.stroke(path);
    context.lineWidth = 1;
}

/** Along the upper edges, and back along the lower ones. */
function outline(pen: Pen, parts: OutlinePart[]): Path2D {
    const path = new Path2D();
    for (const { from, to, top } of parts) {
        path.lineTo(pen.at(from), toPixel(pen.y, top));
        path.lineTo(pen.at(to), toPixel(pen.y, top));
    }
    for (const { from, to, bottom } of [...parts].reverse()) {
        path.lineTo(pen.at(to), toPixel(pen.y, bottom));
        path.lineTo(pen.at(from), toPixel(pen.y, bottom));
    }
    path.closePath();
    return path;
}
