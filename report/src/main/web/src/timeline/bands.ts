/** Paints the bands of the timeline, and tells what stands where. Pixels come from Raster. */
import type { Picture } from "../data/picture";
import type { Surface } from "../shared/canvas";
import { siteStyles, type SiteStyle } from "../shared/palette";
import { toValue } from "../shared/scale";
import { theme } from "../shared/theme";
import type { Column } from "./column";
import { bandAt, Columns, type ColumnSource } from "./columns";
import type { ExactStack } from "./exact";
import { horizontal, vertical, type Geometry } from "./geometry";
import { paintBandLabels } from "./paintBandLabels";
import type { Pen } from "./pen";
import { drawOver, inks, Raster, type Ink } from "./raster";
import type { TimelineView } from "./view";

/** Device pixels below which neighbouring allocations are drawn as one. */
const SMALLEST_BAND = 2;
/** Of a pixel: positions are computed from pixels. */
const ROUNDING = 1e-6;

export class Bands {
    private readonly columns: Columns;
    private readonly raster = new Raster();
    private source: ColumnSource | null = null;
    /** What the bands were last painted for: as long as it is the same, so are they. */
    private painted: unknown[] = [];

    constructor(
        private readonly picture: Picture,
        private readonly view: TimelineView,
        private readonly surface: () => Surface,
        private readonly geometry: () => Geometry,
    ) {
        this.columns = new Columns(picture);
    }

    /** The single allocations that bands are; null where they are sites. */
    get exact(): ExactStack | null {
        return this.source?.exact ?? null;
    }

    /** The most events that a column stands for. */
    get eventsOfColumn(): number {
        return this.source?.eventsOfColumn ?? 1;
    }

    /** Device pixels across the plot. */
    get pixels(): number {
        const { left, right } = this.geometry();
        return Math.max(Math.round((right - left) * this.surface().ratio), 1);
    }

    /** What is drawn at a position: the column of device pixels that it is in. */
    columnAt(position: number): Column {
        const { range } = this.view;
        const step = (range.to - range.from) / this.pixels;
        const from = range.from + Math.floor((position - range.from) / step + ROUNDING) * step;
        return (this.source as ColumnSource).column(from, from + step);
    }

    /** The column at a pixel, which of its bands is there, -1 for none, and the row of the block, -1 where bands are sites. */
    at(x: number, y: number): { column: Column; band: number; row: number } {
        const geometry = this.geometry();
        const column = this.columnAt(toValue(horizontal(geometry, this.view.range), x));
        const bytes = toValue(vertical(geometry, this.view.bytes), y);
        const band = y < geometry.plotTop || y > geometry.plotBottom ? -1 : bandAt(column, bytes);
        return { column, band, row: band < 0 || this.exact === null ? -1 : this.exact.rowAt(column, band, bytes) };
    }

    /** The event that is drawn next to that of an event, in a direction (1 or -1). */
    neighbour(event: number, direction: number): number {
        return this.source?.neighbour(event, direction) ?? event;
    }

    draw(pen: Pen): void {
        const { ratio, context } = this.surface();
        const { left, plotTop, plotBottom } = pen.geometry;
        const height = Math.max(Math.round((plotBottom - plotTop) * ratio), 1);
        const { range, bytes, axis, emphasised } = this.view;
        const styles = siteStyles(this.picture.sites, theme());
        const painted = [this.pixels, height, range, bytes, axis, emphasised, theme(), this.picture.allocations];
        if (painted.some((value, i) => value !== this.painted[i])) {
            this.painted = painted;
            this.paint(this.pixels, height, inks(styles, theme(), emphasised));
        }
        context.save();
        context.setTransform(1, 0, 0, 1, 0, 0);
        drawOver(context, this.raster.data, Math.round(left * ratio), Math.round(plotTop * ratio));
        context.restore();
        this.drawLabels(pen, styles);
    }

    private drawLabels(pen: Pen, styles: SiteStyle[]): void {
        paintBandLabels(pen, styles, this.exact !== null, (x) => this.columnAt(toValue(pen.x, x)));
    }

    private paint(width: number, height: number, palette: Ink[]): void {
        const { range, bytes, axis } = this.view;
        const scale = height / (bytes.to - bytes.from);
        const toRow = (value: number) => (value - bytes.from) * scale;
        const source = this.columns.source(axis, range, width, { small: SMALLEST_BAND / scale, below: bytes.from });
        const step = (range.to - range.from) / width;
        this.source = source;
        this.raster.clear(width, height);
        for (let x = 0; x < width; x++) {
            const from = range.from + x * step;
            this.raster.column(x, source.column(from, from + step), palette, toRow, source.exact !== null);
        }
    }
}
