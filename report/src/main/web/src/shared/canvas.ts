import { attributes, element } from "./dom";
import { css, isStroke, strokeOf, type Pattern, type SiteStyle, type Theme } from "./palette";
import { onThemeChange } from "./theme";

/** A canvas that is as wide as its parent, sharp on every screen, and drawn at most once a frame. */
export class Surface {
    readonly canvas: HTMLCanvasElement;
    readonly context: CanvasRenderingContext2D;
    width = 0;
    height = 0;
    /** Device pixels in a CSS pixel. */
    ratio = 1;
    private isWaiting = false;

    constructor(
        label: string,
        private readonly heightFor: (width: number) => number,
        private readonly draw: () => void,
    ) {
        this.canvas = attributes(element("canvas"), { role: "img", tabindex: 0, "aria-label": label });
        this.context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
        new ResizeObserver(() => this.redraw()).observe(this.canvas);
        onThemeChange(() => this.redraw());
    }

    /** Draws in the next frame, however many calls there were before. */
    redraw(): void {
        if (!this.isWaiting) {
            this.isWaiting = true;
            requestAnimationFrame(() => this.drawNow());
        }
    }

    private drawNow(): void {
        this.isWaiting = false;
        this.fit();
        if (this.width > 0 && this.height > 0) {
            this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
            this.context.clearRect(0, 0, this.width, this.height);
            this.draw();
        }
    }

    private fit(): void {
        this.width = this.canvas.clientWidth;
        this.height = Math.round(this.heightFor(this.width));
        this.ratio = Math.min(window.devicePixelRatio || 1, 3);
        const wide = Math.round(this.width * this.ratio);
        const high = Math.round(this.height * this.ratio);
        if (this.canvas.width !== wide || this.canvas.height !== high) {
            this.canvas.width = wide;
            this.canvas.height = high;
            this.canvas.style.height = `${this.height}px`;
        }
    }

    /** Where a pointer is, in CSS pixels of the canvas. */
    at(event: MouseEvent): { x: number; y: number } {
        const box = this.canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }
}

export const SMALL_FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
export const MONO_FONT = '11px ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

const TILE = 35;
const tiles = new Map<string, CanvasPattern>();

/** A fill for a site: its colour, with the strokes of its pattern. */
export function fillOf(context: CanvasRenderingContext2D, style: SiteStyle, theme: Theme): string | CanvasPattern {
    if (style.pattern === "solid") {
        return css(style.colour);
    }
    return patternFill(context, style.pattern, css(style.colour), css(strokeOf(style, theme)));
}

/** A pattern of two colours. */
export function patternFill(context: CanvasRenderingContext2D, pattern: Pattern, ground: string, stroke: string): CanvasPattern {
    const key = `${pattern} ${ground} ${stroke}`;
    let fill = tiles.get(key);
    if (fill === undefined) {
        fill = context.createPattern(tile(pattern, ground, stroke), "repeat") as CanvasPattern;
        tiles.set(key, fill);
    }
    return fill;
}

function tile(pattern: Pattern, ground: string, stroke: string): HTMLCanvasElement {
    const made = element("canvas");
    made.width = TILE;
    made.height = TILE;
    const context = made.getContext("2d") as CanvasRenderingContext2D;
    context.fillStyle = ground;
    context.fillRect(0, 0, TILE, TILE);
    context.fillStyle = stroke;
    for (let y = 0; y < TILE; y++) {
        for (let x = 0; x < TILE; x++) {
            if (isStroke(pattern, x, y)) {
                context.fillRect(x, y, 1, 1);
            }
        }
    }
    return made;
}

const textWidths = new Map<string, number>();

/** A text cut to a width in the context's font; empty where not even a few letters fit. */
export function fitText(context: CanvasRenderingContext2D, text: string, width: number): string {
    const letter = letterWidth(context);
    const room = Math.floor(width / letter);
    if (room < 3) {
        return "";
    }
    const candidate = text.length <= room * 2 ? text : text.slice(0, room * 2);
    if (candidate === text && context.measureText(text).width <= width) {
        return text;
    }
    let low = 0;
    let high = candidate.length;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (context.measureText(`${candidate.slice(0, middle)}…`).width <= width) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low < 3 ? "" : `${candidate.slice(0, low)}…`;
}

function letterWidth(context: CanvasRenderingContext2D): number {
    let width = textWidths.get(context.font);
    if (width === undefined) {
        width = context.measureText("abcdefghij").width / 10;
        textWidths.set(context.font, width);
    }
    return width;
}

/** A small canvas that shows a site's colour and pattern beside its name. */
export function swatch(style: SiteStyle, theme: Theme): HTMLCanvasElement {
    return drawnSwatch((context) => {
        context.fillStyle = fillOf(context, style, theme);
        context.fillRect(0, 0, SWATCH, SWATCH);
    });
}

/** The width and height of a swatch, in CSS pixels. */
export const SWATCH = 14;

/** A small canvas with something drawn on it. */
export function drawnSwatch(draw: (context: CanvasRenderingContext2D) => void): HTMLCanvasElement {
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    const made = attributes(element("canvas", "swatch"), { width: Math.round(SWATCH * ratio), height: Math.round(SWATCH * ratio), "aria-hidden": "true" });
    const context = made.getContext("2d") as CanvasRenderingContext2D;
    context.scale(ratio, ratio);
    draw(context);
    return made;
}
