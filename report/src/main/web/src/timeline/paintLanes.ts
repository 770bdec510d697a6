/** Paints the lanes above the plot: phases, ranges, steps. */
import { lastAtOrBelow } from "../data/search";
import { fitText } from "../shared/canvas";
import { formatCount } from "../shared/format";
import { css, mix } from "../shared/palette";
import { laneHeight } from "./geometry";
import { crisp, type Pen } from "./pen";

/** Numbers of steps stand at least so many pixels apart. */
const LABELS_APART = 48;

export function paintPhases(pen: Pen): void {
    const phases = pen.scene.steps.phases;
    const starts = pen.scene.picture.steps;
    if (phases.length < 2 || starts.length < 2) {
        return;
    }
    pen.laneName("phase", pen.geometry.phaseTop + 8);
    phases.forEach((phase, i) => {
        const last = Math.min(phase.last_step + 1, starts.length - 1);
        const shade = mix(pen.theme.paper, pen.theme.ink, i % 2 === 0 ? 0.08 : 0.15);
        bar(pen, starts[Math.min(phase.first_step, last)], starts[last], pen.geometry.phaseTop, phase.name, css(shade));
    });
}

export function paintRanges(pen: Pen): void {
    const { annotations } = pen.scene.picture;
    if (annotations.length === 0) {
        return;
    }
    pen.laneName("range", pen.geometry.annotationTop + 8);
    const ends = new Float64Array(pen.geometry.annotationRows).fill(-Infinity);
    const fill = css(mix(pen.theme.paper, pen.theme.ink, 0.11));
    annotations.forEach((annotation, i) => {
        const row = pen.scene.rows[i];
        if (row >= 0 && row < ends.length) {
            const top = pen.geometry.annotationTop + row * laneHeight();
            ends[row] = bar(pen, annotation.from, annotation.to, top, annotation.name, fill, ends[row]);
        }
    });
}

/** A bar in a lane with its name, where it is not painted over already; returns its right end. */
function bar(pen: Pen, from: number, to: number, top: number, name: string, fill: string, painted: number = -Infinity): number {
    const left = Math.max(pen.at(from), pen.geometry.left);
    const right = Math.min(pen.at(to), pen.geometry.right);
    if (right < left || right <= painted) {
        return painted;
    }
    pen.context.fillStyle = fill;
    pen.context.fillRect(left, top, Math.max(right - left - 1, 1), laneHeight() - 2);
    const text = right - left > 30 ? fitText(pen.context, name, right - left - 8) : "";
    if (text !== "") {
        pen.context.fillStyle = css(pen.theme.ink);
        pen.context.textAlign = "left";
        pen.context.fillText(text, left + 4, top + laneHeight() / 2 - 0.5);
    }
    return Math.max(right, left + 1);
}

export function paintSteps(pen: Pen): void {
    const starts = pen.scene.picture.steps;
    if (starts.length < 2) {
        return;
    }
    const pixels = averageStep(pen, starts);
    pen.laneName("step", pen.geometry.stepTop + 8);
    pen.context.strokeStyle = css(mix(pen.theme.line, pen.theme.faint, 0.5));
    pen.context.fillStyle = css(pen.theme.faint);
    pen.context.textAlign = "left";
    const every = labelSpacing(pixels);
    const ticksEvery = pixels >= 3 ? 1 : every;
    const { axis, range } = pen.scene.view;
    const first = Math.max(lastAtOrBelow(starts, axis.toEvent(range.from)), 0);
    let free = -Infinity;
    for (let step = first - (first % ticksEvery); step < starts.length - 1; step += ticksEvery) {
        const x = pen.at(starts[step]);
        if (x > pen.geometry.right) {
            return;
        }
        free = tick(pen, step, x, step % every === 0, free);
    }
}

/** A tick, with its number where the one before leaves room; returns where there is room again. */
function tick(pen: Pen, step: number, x: number, isWanted: boolean, free: number): number {
    const y = pen.geometry.stepTop;
    if (x < pen.geometry.left - 0.5) {
        return free;
    }
    const isLabelled = isWanted && x >= free;
    pen.line(crisp(x), y + (isLabelled ? 4 : 11), crisp(x), y + 16);
    const text = formatCount(step);
    const end = x + 3 + pen.context.measureText(text).width;
    if (!isLabelled || end > pen.geometry.right) {
        return free;
    }
    pen.context.fillText(text, x + 3, y + 8);
    return end + 6;
}

/** The width of a step in view, in pixels. */
function averageStep({ scene, geometry }: Pen, starts: Int32Array): number {
    const { axis, range } = scene.view;
    const whole = axis.fromEvent(starts[starts.length - 1]) - axis.fromEvent(starts[0]);
    return ((whole / (starts.length - 1)) * (geometry.right - geometry.left)) / (range.to - range.from);
}

/** How many steps lie between labels, so that labels stay apart. */
function labelSpacing(pixels: number): number {
    return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000].find((every) => every * pixels >= LABELS_APART) ?? 1_000_000;
}
