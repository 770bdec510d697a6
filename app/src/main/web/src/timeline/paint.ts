/** Paints everything of the timeline that is not a band: axes, lanes, lines, marks, cursor. */
import type { Picture } from "../data/picture";
import type { Steps } from "../data/schema";
import { chooseLevel, type Level } from "../data/pyramid";
import { lastAtOrBelow } from "../data/search";
import { fitText, MONO_FONT, SMALL_FONT, type Surface } from "../shared/canvas";
import { formatBytes, formatCount, formatSpan, trimZeros } from "../shared/format";
import { css, mix, type Theme } from "../shared/palette";
import { byteTicks, countTicks, decimalTicks, toPixel, type Scale } from "../shared/scale";
import { horizontal, laneHeight, vertical, type Geometry } from "./geometry";
import type { TimelineView } from "./view";

/** A step from which, or until which, something grows. */
export interface ChangePoint {
    event: number;
    label: string;
    finding: number;
}

export interface Scene {
    view: TimelineView;
    picture: Picture;
    steps: Steps | null;
    rows: Int32Array;
    changes: ChangePoint[];
}

export class Painter {
    private readonly context: CanvasRenderingContext2D;
    private readonly x: Scale;
    private readonly y: Scale;

    constructor(
        surface: Surface,
        private readonly geometry: Geometry,
        private readonly scene: Scene,
        private readonly theme: Theme,
    ) {
        this.context = surface.context;
        this.x = horizontal(geometry, scene.view.range);
        this.y = vertical(geometry, scene.view.bytes);
        this.context.font = SMALL_FONT;
        this.context.lineWidth = 1;
        this.context.textBaseline = "middle";
    }

    /** What lies behind the bands. */
    background(): void {
        this.context.strokeStyle = css(this.theme.line);
        this.context.fillStyle = css(this.theme.faint);
        this.context.textAlign = "right";
        for (const bytes of byteTicks(this.y.from, this.y.to, 5)) {
            const y = crisp(toPixel(this.y, bytes));
            this.line(this.geometry.left, y, this.geometry.right, y);
            this.context.fillText(trimZeros(formatBytes(bytes)), this.geometry.left - 8, y);
        }
    }

    /** What lies before them. */
    foreground(): void {
        this.reserved();
        this.limit();
        this.clipped(() => this.changePoints());
        this.axis();
        this.steps();
        this.phases();
        this.annotations();
        this.marks();
        this.overview();
        this.selection();
        this.cursor();
    }

    private reserved(): void {
        const level = this.level(this.geometry.right - this.geometry.left);
        if (level !== null) {
            this.context.strokeStyle = css(this.theme.ink);
            this.context.setLineDash([4, 3]);
            this.clipped(() => this.steppedLine(level, level.reserved, this.x, this.y));
            this.context.setLineDash([]);
        }
    }

    private level(pixels: number): Level | null {
        const { levels } = this.scene.picture;
        const { axis, range } = this.scene.view;
        return levels[chooseLevel(levels, axis.toEvent(range.from), axis.toEvent(range.to), pixels / 2)] ?? null;
    }

    /** A line through the values of a level's buckets, one point a pixel at most: the highest. */
    private steppedLine(level: Level, values: Float64Array, x: Scale, y: Scale): void {
        const edges = this.scene.view.axis.edges(level);
        this.context.beginPath();
        let column = -Infinity;
        let highest = 0;
        for (let i = 0; i < level.buckets; i++) {
            const right = toPixel(x, edges[i + 1]);
            if (right < x.start || toPixel(x, edges[i]) > x.end) {
                continue;
            }
            const left = Math.round(toPixel(x, edges[i]));
            highest = left > column ? values[i] : Math.max(highest, values[i]);
            column = Math.max(column, left);
            this.context.lineTo(Math.max(column, x.start), toPixel(y, highest));
            this.context.lineTo(Math.min(right, x.end), toPixel(y, highest));
        }
        this.context.stroke();
    }

    private limit(): void {
        const limit = this.scene.picture.deviceBytes;
        if (limit === null || limit > this.y.to || limit < this.y.from) {
            return;
        }
        const y = crisp(toPixel(this.y, limit));
        this.context.strokeStyle = css(this.theme.ink);
        this.context.lineWidth = 2;
        this.line(this.geometry.left, y, this.geometry.right, y);
        this.context.lineWidth = 1;
        this.context.textAlign = "left";
        this.tag(`all of the device: ${formatBytes(limit)}`, this.geometry.left + 6, y + 10);
    }

    private changePoints(): void {
        for (const change of this.scene.changes) {
            const x = crisp(toPixel(this.x, this.scene.view.axis.fromEvent(change.event)));
            if (x >= this.geometry.left && x <= this.geometry.right) {
                this.context.strokeStyle = css(this.theme.findings[change.finding % this.theme.findings.length]);
                this.context.setLineDash([1, 3]);
                this.line(x, this.geometry.plotTop, x, this.geometry.plotBottom);
                this.context.setLineDash([]);
                this.label(change.label, x, this.geometry.plotTop + 24 + 15 * (change.finding % 6));
            }
        }
    }

    private axis(): void {
        const { view } = this.scene;
        const y = this.geometry.plotBottom;
        this.context.strokeStyle = css(this.theme.ink);
        this.line(this.geometry.left, crisp(y), this.geometry.right, crisp(y));
        this.context.fillStyle = css(this.theme.faint);
        this.context.textAlign = "center";
        const about = (this.geometry.right - this.geometry.left) / 130;
        const isTime = view.axis.kind === "time";
        const ticks = isTime ? decimalTicks(this.x.from, this.x.to, about) : countTicks(this.x.from, this.x.to, about);
        for (const tick of ticks) {
            const x = toPixel(this.x, tick);
            this.line(crisp(x), y, crisp(x), y + 4);
            this.centred(isTime ? trimZeros(formatSpan(tick)) : formatCount(tick), x, y + 13);
        }
        this.context.textAlign = "right";
        this.context.fillText(isTime ? "time" : "event", this.geometry.left - 8, y + 13);
    }

    /** A text centred at x, kept within the plot. */
    private centred(text: string, x: number, y: number): void {
        const half = this.context.measureText(text).width / 2;
        this.context.fillText(text, Math.min(Math.max(x, this.geometry.left + half), this.geometry.right - half), y);
    }

    private steps(): void {
        const starts = this.scene.picture.steps;
        if (starts.length < 2) {
            return;
        }
        const y = this.geometry.stepTop;
        const pixels = this.averageStep(starts);
        this.laneName("step", y + 8);
        this.context.strokeStyle = css(mix(this.theme.line, this.theme.faint, 0.5));
        this.context.fillStyle = css(this.theme.faint);
        this.context.textAlign = "left";
        const every = labelSpacing(pixels);
        const ticksEvery = pixels >= 3 ? 1 : every;
        const { axis, range } = this.scene.view;
        const first = Math.max(lastAtOrBelow(starts, axis.toEvent(range.from)), 0);
        for (let step = first - (first % ticksEvery); step < starts.length - 1; step += ticksEvery) {
            const x = toPixel(this.x, axis.fromEvent(starts[step]));
            if (x > this.geometry.right) {
                return;
            }
            this.stepTick(step, x, step % every === 0);
        }
    }

    private stepTick(step: number, x: number, isLabelled: boolean): void {
        const y = this.geometry.stepTop;
        if (x < this.geometry.left - 0.5) {
            return;
        }
        this.line(crisp(x), y + (isLabelled ? 4 : 11), crisp(x), y + 16);
        if (isLabelled && x < this.geometry.right - 24) {
            this.context.fillText(formatCount(step), x + 3, y + 8);
        }
    }

    /** The width of a step in view, in pixels. */
    private averageStep(starts: Int32Array): number {
        const { axis, range } = this.scene.view;
        const whole = axis.fromEvent(starts[starts.length - 1]) - axis.fromEvent(starts[0]);
        const width = this.geometry.right - this.geometry.left;
        return ((whole / (starts.length - 1)) * width) / (range.to - range.from);
    }

    private phases(): void {
        const phases = this.scene.steps?.phases ?? [];
        const starts = this.scene.picture.steps;
        if (phases.length < 2 || starts.length < 2) {
            return;
        }
        this.laneName("phase", this.geometry.phaseTop + 8);
        phases.forEach((phase, i) => {
            const last = Math.min(phase.last_step + 1, starts.length - 1);
            const shade = mix(this.theme.paper, this.theme.ink, i % 2 === 0 ? 0.08 : 0.15);
            this.bar(starts[Math.min(phase.first_step, last)], starts[last], this.geometry.phaseTop, phase.name, css(shade));
        });
    }

    private annotations(): void {
        const { annotations } = this.scene.picture;
        if (annotations.length === 0) {
            return;
        }
        this.laneName("range", this.geometry.annotationTop + 8);
        const ends = new Float64Array(this.geometry.annotationRows).fill(-Infinity);
        annotations.forEach((annotation, i) => {
            const row = this.scene.rows[i];
            if (row >= 0) {
                const top = this.geometry.annotationTop + row * laneHeight();
                ends[row] = this.bar(annotation.from, annotation.to, top, annotation.name, css(mix(this.theme.paper, this.theme.ink, 0.11)), ends[row]);
            }
        });
    }

    /** A bar in a lane with its name, where it is not painted over already; returns its right end. */
    private bar(from: number, to: number, top: number, name: string, fill: string, painted: number = -Infinity): number {
        const { axis } = this.scene.view;
        const left = Math.max(toPixel(this.x, axis.fromEvent(from)), this.geometry.left);
        const right = Math.min(toPixel(this.x, axis.fromEvent(to)), this.geometry.right);
        if (right < left || right <= painted) {
            return painted;
        }
        this.context.fillStyle = fill;
        this.context.fillRect(left, top, Math.max(right - left - 1, 1), laneHeight() - 2);
        const text = right - left > 30 ? fitText(this.context, name, right - left - 8) : "";
        if (text !== "") {
            this.context.fillStyle = css(this.theme.ink);
            this.context.textAlign = "left";
            this.context.fillText(text, left + 4, top + laneHeight() / 2 - 0.5);
        }
        return Math.max(right, left + 1);
    }

    private laneName(name: string, y: number): void {
        this.context.fillStyle = css(this.theme.faint);
        this.context.textAlign = "right";
        this.context.fillText(name, this.geometry.left - 8, y);
    }

    private marks(): void {
        const { picture } = this.scene;
        this.clipped(() => this.peak(picture));
        this.failures(picture);
    }

    /** Failed requests: a line for each, and a text where the one before leaves room. */
    private failures(picture: Picture): void {
        let free = -Infinity;
        for (const mark of picture.oom) {
            const x = crisp(toPixel(this.x, this.scene.view.axis.fromEvent(mark.event)));
            if (x >= this.geometry.left && x <= this.geometry.right) {
                this.context.strokeStyle = css(this.theme.ink);
                this.line(x, this.geometry.plotTop, x, this.geometry.plotBottom);
                const text = `out of memory: ${formatBytes(mark.requested)} asked for`;
                if (x > free) {
                    this.label(text, x, this.geometry.plotTop + 40);
                    free = x + this.context.measureText(text).width + 24;
                }
            }
        }
    }

    private peak(picture: Picture): void {
        const x = toPixel(this.x, this.scene.view.axis.fromEvent(picture.peak));
        const finest = picture.levels[picture.levels.length - 1];
        if (finest === undefined || x < this.geometry.left - 4 || x > this.geometry.right + 4) {
            return;
        }
        const bytes = finest.live.reduce((a, b) => Math.max(a, b), 0);
        const y = toPixel(this.y, bytes);
        this.context.fillStyle = css(this.theme.ink);
        this.context.beginPath();
        this.context.moveTo(x, y - 2);
        this.context.lineTo(x - 4, y - 9);
        this.context.lineTo(x + 4, y - 9);
        this.context.fill();
        this.label(`peak ${formatBytes(bytes)}`, x, Math.max(y - 14, this.geometry.plotTop + 8));
    }

    /** A text beside a vertical line, on whichever side it fits. */
    private label(text: string, x: number, y: number): void {
        const width = this.context.measureText(text).width;
        const isLeft = x + 10 + width > this.geometry.right;
        this.context.textAlign = isLeft ? "right" : "left";
        this.tag(text, isLeft ? x - 8 : x + 8, y);
    }

    /** A text that can be read on any band. */
    private tag(text: string, x: number, y: number): void {
        this.context.strokeStyle = css(this.theme.paper, 0.85);
        this.context.lineWidth = 3;
        this.context.lineJoin = "round";
        this.context.strokeText(text, x, y);
        this.context.lineWidth = 1;
        this.context.fillStyle = css(this.theme.ink);
        this.context.fillText(text, x, y);
    }

    /** The whole recording, with the part in view. */
    private overview(): void {
        const { geometry, scene } = this;
        const level = scene.picture.levels[0];
        const { whole } = scene.view.axis;
        const x: Scale = { from: whole.from, to: whole.to, start: geometry.left, end: geometry.right };
        const y: Scale = { from: 0, to: scene.view.allBytes.to, start: geometry.overviewBottom, end: geometry.overviewTop };
        this.context.fillStyle = css(mix(this.theme.paper, this.theme.ink, 0.045));
        this.context.fillRect(geometry.left, geometry.overviewTop, geometry.right - geometry.left, geometry.overviewBottom - geometry.overviewTop);
        if (level !== undefined) {
            this.context.strokeStyle = css(this.theme.faint);
            this.steppedLine(level, level.live, x, y);
            this.context.lineTo(x.end, y.start);
            this.context.lineTo(x.start, y.start);
            this.context.fillStyle = css(this.theme.faint, 0.3);
            this.context.fill();
        }
        this.window(x);
        this.laneName("whole", (geometry.overviewTop + geometry.overviewBottom) / 2);
    }

    private window(x: Scale): void {
        const { geometry } = this;
        const { range, isWhole } = this.scene.view;
        if (!isWhole) {
            const left = toPixel(x, range.from);
            const width = Math.max(toPixel(x, range.to) - left, 3);
            this.context.fillStyle = css(this.theme.ink, 0.1);
            this.context.fillRect(left, geometry.overviewTop, width, geometry.overviewBottom - geometry.overviewTop);
            this.context.strokeStyle = css(this.theme.ink);
            this.context.strokeRect(crisp(left), crisp(geometry.overviewTop), Math.round(width), geometry.overviewBottom - geometry.overviewTop - 1);
        }
    }

    private selection(): void {
        const { selection } = this.scene.view;
        if (selection !== null) {
            const left = toPixel(this.x, Math.min(selection.from, selection.to));
            const right = toPixel(this.x, Math.max(selection.from, selection.to));
            this.context.fillStyle = css(this.theme.ink, 0.12);
            this.context.fillRect(left, this.geometry.plotTop, right - left, this.geometry.plotBottom - this.geometry.plotTop);
        }
    }

    private cursor(): void {
        const { view } = this.scene;
        this.cursorLine(view.pinned, []);
        this.cursorLine(view.hovered, [2, 2]);
    }

    private cursorLine(event: number | null, dash: number[]): void {
        if (event === null) {
            return;
        }
        const x = crisp(toPixel(this.x, this.scene.view.axis.fromEvent(event)));
        if (x >= this.geometry.left && x <= this.geometry.right) {
            this.context.strokeStyle = css(this.theme.ink);
            this.context.setLineDash(dash);
            this.line(x, this.geometry.stepTop, x, this.geometry.plotBottom);
            this.context.setLineDash([]);
        }
    }

    /** The name of a band, where it is thick enough to hold it. */
    bandLabel(text: string, ground: Theme["ink"], right: number, y: number): void {
        const isLightGround = ground[0] * 0.3 + ground[1] * 0.6 + ground[2] * 0.1 > 118;
        this.context.fillStyle = isLightGround ? "rgba(0,0,0,0.85)" : "rgba(255,255,255,0.92)";
        this.context.font = MONO_FONT;
        this.context.textAlign = "right";
        this.context.fillText(text, right, y);
        this.context.font = SMALL_FONT;
    }

    private clipped(draw: () => void): void {
        this.context.save();
        this.context.beginPath();
        this.context.rect(this.geometry.left, this.geometry.plotTop - 1, this.geometry.right - this.geometry.left + 1, this.geometry.plotBottom - this.geometry.plotTop + 1);
        this.context.clip();
        draw();
        this.context.restore();
    }

    private line(x1: number, y1: number, x2: number, y2: number): void {
        this.context.beginPath();
        this.context.moveTo(x1, y1);
        this.context.lineTo(x2, y2);
        this.context.stroke();
    }
}

/** A coordinate at which a line of one pixel is sharp. */
function crisp(value: number): number {
    return Math.round(value) + 0.5;
}

/** How many steps lie between labels, so that labels stay apart. */
function labelSpacing(pixels: number): number {
    return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000].find((every) => every * pixels >= 48) ?? 1_000_000;
}

