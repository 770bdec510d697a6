/*
 * Paints stacked bands into pixels. Filling polygons costs a software renderer tens of milliseconds for forty sites; writing each
 * pixel once costs two. Where an edge falls within a pixel, the colours share it.
 */
import { element } from "../shared/dom";
import { isStroke, mix, strokeOf, type Colour, type Pattern, type SiteStyle, type Theme } from "../shared/palette";
import type { Column } from "./column";

export interface Ink {
    colour: Colour;
    pattern: Pattern;
    ground: number;
    stroke: number;
    /** The line between single allocations. */
    seam: number;
}

/** How sites are painted; all but some may be faded. */
export function inks(styles: SiteStyle[], theme: Theme, emphasised: ReadonlySet<number> | null): Ink[] {
    return styles.map((style, site) => {
        const isFaded = emphasised !== null && !emphasised.has(site);
        const fade = (colour: Colour) => (isFaded ? mix(colour, theme.paper, 0.72) : colour);
        const colour = fade(style.colour);
        return { colour, pattern: style.pattern, ground: packed(colour), stroke: packed(fade(strokeOf(style, theme))), seam: packed(mix(colour, theme.paper, 0.5)) };
    });
}

function packed([red, green, blue]: Colour): number {
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** An image of the plot, painted column by column. */
export class Raster {
    private image = new ImageData(1, 1);
    private pixels = new Uint32Array(this.image.data.buffer);

    get data(): ImageData {
        return this.image;
    }

    /** Makes the image empty, of a width and a height. */
    clear(width: number, height: number): void {
        if (this.image.width !== width || this.image.height !== height) {
            this.image = new ImageData(width, height);
            this.pixels = new Uint32Array(this.image.data.buffer);
        } else {
            this.pixels.fill(0);
        }
    }

    /** Paints one column. {@code toRow} gives the height above the bottom, in pixels, of a number of bytes. */
    column(x: number, column: Column, palette: Ink[], toRow: (bytes: number) => number, hasSeams: boolean): void {
        const brush = new Brush(this.pixels, x, this.image.width, this.image.height);
        let below = Math.max(toRow(0), 0);
        for (let k = 0; k < column.count && below < this.image.height; k++) {
            const above = Math.min(toRow(column.top[k]), this.image.height);
            if (above > below) {
                brush.band(palette[column.site[k]], above - below, hasSeams);
                below = above;
            }
        }
        brush.finish();
    }
}

/** Moves up one column and mixes what shares a pixel. */
class Brush {
    private row: number;
    private covered = 0;
    private red = 0;
    private green = 0;
    private blue = 0;

    constructor(
        private readonly pixels: Uint32Array,
        private readonly x: number,
        private readonly width: number,
        height: number,
    ) {
        this.row = height - 1;
    }

    /** A band of some height, with a line along its upper edge where there is room for one. */
    band(ink: Ink, height: number, hasSeam: boolean): void {
        let left = height;
        if (this.covered > 0) {
            left -= this.share(ink, Math.min(1 - this.covered, left));
        }
        const whole = Math.floor(left + 1e-6);
        this.fill(ink, whole);
        if (hasSeam && whole >= 4) {
            this.pixels[(this.row + 1) * this.width + this.x] = ink.seam;
        }
        if (left - whole > 1e-6) {
            this.share(ink, left - whole);
        }
    }

    /** Leaves the rest of the last pixel to the paper. */
    finish(): void {
        if (this.covered > 0.02) {
            this.write(Math.round(this.covered * 255));
        }
    }

    private fill(ink: Ink, rows: number): void {
        const end = Math.max(this.row - rows, -1);
        if (ink.pattern === "solid") {
            for (let y = this.row; y > end; y--) {
                this.pixels[y * this.width + this.x] = ink.ground;
            }
        } else {
            for (let y = this.row; y > end; y--) {
                this.pixels[y * this.width + this.x] = isStroke(ink.pattern, this.x, y) ? ink.stroke : ink.ground;
            }
        }
        this.row = end;
    }

    private share(ink: Ink, part: number): number {
        this.red += ink.colour[0] * part;
        this.green += ink.colour[1] * part;
        this.blue += ink.colour[2] * part;
        this.covered += part;
        if (this.covered > 1 - 1e-6) {
            this.write(255);
        }
        return part;
    }

    private write(alpha: number): void {
        if (this.row >= 0) {
            const colour: Colour = [this.red / this.covered, this.green / this.covered, this.blue / this.covered];
            this.pixels[this.row * this.width + this.x] = ((alpha << 24) | (packed(colour) & 0xffffff)) >>> 0;
        }
        this.row--;
        this.covered = this.red = this.green = this.blue = 0;
    }
}

/** Draws an image over what is there; putImageData would replace it, gridlines too. */
export function drawOver(context: CanvasRenderingContext2D, image: ImageData, x: number, y: number): void {
    const scratch = scratchCanvas(image.width, image.height);
    scratch.putImageData(image, 0, 0);
    context.drawImage(scratch.canvas, 0, 0, image.width, image.height, x, y, image.width, image.height);
}

let scratch: CanvasRenderingContext2D | null = null;

function scratchCanvas(width: number, height: number): CanvasRenderingContext2D {
    scratch ??= element("canvas").getContext("2d") as CanvasRenderingContext2D;
    if (scratch.canvas.width !== width || scratch.canvas.height !== height) {
        scratch.canvas.width = width;
        scratch.canvas.height = height;
    }
    return scratch;
}
