/** What all painters of the timeline share: the canvas, the scales, lines and texts. */
import type { StepSummary } from "report";
import type { Picture } from "../data/picture";
import type { Level } from "../data/pyramid";
import { SMALL_FONT, type Surface } from "../shared/canvas";
import { css, type Theme } from "../shared/palette";
import { toPixel, type Scale } from "../shared/scale";
import { horizontal, vertical, type Geometry } from "./geometry";
import type { TimelineView } from "./view";

/** A step from which, or until which, something grows. */
export interface ChangePoint {
    event: number;
    label: string;
    finding: number;
}

/** What is painted. */
export interface Scene {
    view: TimelineView;
    picture: Picture;
    steps: StepSummary;
    /** The row of each annotation; -1 for those that have none. */
    rows: Int32Array;
    changes: ChangePoint[];
}

export class Pen {
    readonly context: CanvasRenderingContext2D;
    readonly x: Scale;
    readonly y: Scale;

    constructor(
        surface: Surface,
        readonly geometry: Geometry,
        readonly scene: Scene,
        readonly theme: Theme,
    ) {
        this.context = surface.context;
        this.x = horizontal(geometry, scene.view.range);
        this.y = vertical(geometry, scene.view.bytes);
        this.context.font = SMALL_FONT;
        this.context.lineWidth = 1;
        this.context.textBaseline = "middle";
    }

    /** Where an event is, in pixels. */
    at(event: number): number {
        return toPixel(this.x, this.scene.view.axis.fromEvent(event));
    }

    /** Whether a place across is within the plot. */
    isWithin(x: number): boolean {
        return x >= this.geometry.left && x <= this.geometry.right;
    }

    line(x1: number, y1: number, x2: number, y2: number): void {
        this.context.beginPath();
        this.context.moveTo(x1, y1);
        this.context.lineTo(x2, y2);
        this.context.stroke();
    }

    /** A line from the top of the plot to its bottom. */
    upright(x: number, top: number = this.geometry.plotTop): void {
        this.line(x, top, x, this.geometry.plotBottom);
    }

    /** A text beside a vertical line, on whichever side it fits. */
    label(text: string, x: number, y: number): void {
        const width = this.context.measureText(text).width;
        const isLeft = x + 10 + width > this.geometry.right;
        this.context.textAlign = isLeft ? "right" : "left";
        this.tag(text, isLeft ? x - 8 : x + 8, y);
    }

    /** A text that can be read on any band. */
    tag(text: string, x: number, y: number): void {
        this.context.strokeStyle = css(this.theme.paper, 0.85);
        this.context.lineWidth = 3;
        this.context.lineJoin = "round";
        this.context.strokeText(text, x, y);
        this.context.lineWidth = 1;
        this.context.fillStyle = css(this.theme.ink);
        this.context.fillText(text, x, y);
    }

    /** The name of a lane, left of it. */
    laneName(name: string, y: number): void {
        this.context.fillStyle = css(this.theme.faint);
        this.context.textAlign = "right";
        this.context.fillText(name, this.geometry.left - 8, y);
    }

    clipped(draw: () => void): void {
        const { left, right, plotTop, plotBottom } = this.geometry;
        this.context.save();
        this.context.beginPath();
        this.context.rect(left, plotTop - 1, right - left + 1, plotBottom - plotTop + 1);
        this.context.clip();
        draw();
        this.context.restore();
    }

    /** A line through the values of a level's buckets, one point a pixel at most: the highest. */
    steppedLine(level: Level, values: Float64Array, x: Scale, y: Scale): void {
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
}

/** A coordinate at which a line of one pixel is sharp. */
export function crisp(value: number): number {
    return Math.round(value) + 0.5;
}
