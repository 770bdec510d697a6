/** Paints the axes, reserved bytes, and the size of the device. */
import { chooseLevel } from "../data/pyramid";
import { formatBytes, formatCount, formatSpan, trimZeros } from "../shared/format";
import { css } from "../shared/palette";
import { byteTicks, countTicks, decimalTicks, toPixel } from "../shared/scale";
import { crisp, type Pen } from "./pen";

/** Pixels between the ticks of the horizontal axis. */
const TICKS_APART = 130;

export function paintGrid(pen: Pen): void {
    const { context, geometry, theme } = pen;
    context.strokeStyle = css(theme.line);
    context.fillStyle = css(theme.faint);
    context.textAlign = "right";
    for (const bytes of byteTicks(pen.y.from, pen.y.to, 5)) {
        const y = crisp(toPixel(pen.y, bytes));
        pen.line(geometry.left, y, geometry.right, y);
        context.fillText(trimZeros(formatBytes(bytes)), geometry.left - 8, y);
    }
}

export function paintReserved(pen: Pen): void {
    const { levels } = pen.scene.picture;
    const { axis, range } = pen.scene.view;
    const pixels = pen.geometry.right - pen.geometry.left;
    const level = levels[chooseLevel(levels, axis.toEvent(range.from), axis.toEvent(range.to), pixels / 2)];
    if (level !== undefined) {
        pen.context.strokeStyle = css(pen.theme.ink);
        pen.context.setLineDash([4, 3]);
        pen.clipped(() => pen.steppedLine(level, level.reserved, pen.x, pen.y));
        pen.context.setLineDash([]);
    }
}

export function paintLimit(pen: Pen): void {
    const limit = pen.scene.picture.deviceBytes;
    if (limit === null || limit > pen.y.to || limit < pen.y.from) {
        return;
    }
    const y = crisp(toPixel(pen.y, limit));
    pen.context.strokeStyle = css(pen.theme.ink);
    pen.context.lineWidth = 2;
    pen.line(pen.geometry.left, y, pen.geometry.right, y);
    pen.context.lineWidth = 1;
    pen.context.textAlign = "left";
    pen.tag(`device memory: ${formatBytes(limit)}`, pen.geometry.left + 6, y + 10);
}

export function paintAxis(pen: Pen): void {
    const { context, geometry } = pen;
    const y = geometry.plotBottom;
    context.strokeStyle = css(pen.theme.ink);
    pen.line(geometry.left, crisp(y), geometry.right, crisp(y));
    context.fillStyle = css(pen.theme.faint);
    context.textAlign = "center";
    const about = (geometry.right - geometry.left) / TICKS_APART;
    const isTime = pen.scene.view.axis.kind === "time";
    const ticks = isTime ? decimalTicks(pen.x.from, pen.x.to, about) : countTicks(pen.x.from, pen.x.to, about);
    for (const tick of ticks) {
        const x = toPixel(pen.x, tick);
        pen.line(crisp(x), y, crisp(x), y + 4);
        centred(pen, isTime ? trimZeros(formatSpan(tick)) : formatCount(tick), x, y + 13);
    }
    context.textAlign = "right";
    context.fillText(isTime ? "time" : "event", geometry.left - 8, y + 13);
}

/** A text centred at x, kept within the plot. */
function centred({ context, geometry }: Pen, text: string, x: number, y: number): void {
    const half = context.measureText(text).width / 2;
    context.fillText(text, Math.min(Math.max(x, geometry.left + half), geometry.right - half), y);
}
