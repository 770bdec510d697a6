/*
 * Rows of segments on a canvas. Only the rows in view are drawn; the canvas stays in view while a spacer as tall as all rows scrolls.
 */
import { rowOf, type Allocations, type BlockName } from "../data/allocations";
import type { Segment } from "../data/layout";
import type { Picture } from "../data/picture";
import { lastAtOrBelow } from "../data/search";
import { Surface } from "../shared/canvas";
import { element } from "../shared/dom";
import { siteStyles } from "../shared/palette";
import { theme } from "../shared/theme";
import { columnsFor, ROW, SegmentPainter } from "./paintSegments";
import { sortedSegments, type SegmentOrder, type SegmentUse } from "./space";

const MOST_VISIBLE = 28;

/** What is at a place: a segment, and the block of it, -1 for none. */
export interface Place {
    segment: number;
    block: number;
}

export class SegmentRows {
    readonly root = element("div", "scroller");
    readonly surface: Surface;
    private readonly spacer = element("div");
    private segments: Segment[] = [];
    private uses: SegmentUse[] = [];
    private rows: number[] = [];
    private largest = 1;
    private current = -1;
    isToScale = true;
    /** Called after every frame: widths may be others. */
    drawn: () => void = () => undefined;

    /** Rows of a picture, of which {@code chosen} is the block to be outlined, and {@code focused} is told which segment keys lead to. */
    constructor(
        private readonly picture: Picture,
        private readonly chosen: () => BlockName | null,
        private readonly focused: (segment: number) => void,
    ) {
        this.surface = new Surface("", () => Math.max(this.visible, 1) * ROW, () => this.draw());
        this.root.append(this.surface.canvas, this.spacer);
        this.root.addEventListener("scroll", () => this.surface.redraw(), { passive: true });
        this.surface.canvas.addEventListener("keydown", (event) => this.key(event));
        this.surface.canvas.addEventListener("blur", () => this.focusRow(-1));
    }

    /** Shows segments in an order; bars are as wide as their bytes are of {@code largest}. */
    show(segments: Segment[], uses: SegmentUse[], largest: number, order: SegmentOrder): void {
        Object.assign(this, { segments, uses, largest, current: -1, rows: sortedSegments(segments, order) });
        this.spacer.style.height = `${this.rows.length * ROW}px`;
        this.root.style.maxHeight = `${Math.max(this.visible, 1) * ROW}px`;
        this.root.scrollTop = 0;
        this.surface.redraw();
    }

    private get visible(): number {
        return Math.min(this.rows.length, MOST_VISIBLE);
    }

    private draw(): void {
        const painter = new SegmentPainter(this.surface, siteStyles(this.picture.sites, theme()), theme(), this.chosenRow());
        const first = Math.floor(this.root.scrollTop / ROW);
        const offset = this.root.scrollTop - first * ROW;
        for (let i = 0; i <= this.visible && first + i < this.rows.length; i++) {
            const segment = this.rows[first + i];
            painter.row(this.segments[segment], this.uses[segment], i * ROW - offset, this.barWidth(this.segments[segment].bytes), first + i === this.current);
        }
        this.drawn();
    }

    private chosenRow(): number {
        const rows: Allocations | undefined = this.segments[0]?.allocations;
        return rows === undefined ? -1 : rowOf(rows, this.chosen());
    }

    /** Pixels of a bar of so many bytes. */
    barWidth(bytes: number): number {
        const { room } = columnsFor(this.surface.width);
        return this.isToScale ? Math.max((bytes / this.largest) * room, 2) : room;
    }

    /** What a pointer points at; null beside all rows. */
    at(event: MouseEvent): Place | null {
        const { x, y } = this.surface.at(event);
        const index = this.rows[Math.floor((y + this.root.scrollTop) / ROW)];
        if (index === undefined) {
            return null;
        }
        const { bytes, blocks } = this.segments[index];
        const offset = ((x - columnsFor(this.surface.width).left) / this.barWidth(bytes)) * bytes;
        const block = offset >= 0 && offset < bytes ? lastAtOrBelow(blocks.offset, offset) : -1;
        return { segment: index, block: block >= 0 && offset < blocks.offset[block] + blocks.bytes[block] ? block : -1 };
    }

    private key(event: KeyboardEvent): void {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -this.rows.length, End: this.rows.length }[event.key];
        if (step !== undefined) {
            event.preventDefault();
            this.focusRow(Math.min(Math.max(this.current + step, 0), this.rows.length - 1));
        }
    }

    private focusRow(row: number): void {
        this.current = row;
        if (row >= 0) {
            this.focused(this.rows[row]);
            const top = row * ROW;
            this.root.scrollTop = Math.min(Math.max(this.root.scrollTop, top + ROW - this.visible * ROW), top);
        }
        this.surface.redraw();
    }
}
