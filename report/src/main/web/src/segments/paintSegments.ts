/** Paints rows of segments: address, blocks where they lie, what is special, what is free. */
import { FREE, PENDING, type Segment } from "../data/layout";
import { fillOf, fitText, MONO_FONT, patternFill, SMALL_FONT, type Surface } from "../shared/canvas";
import { formatBytes } from "../shared/format";
import { css, mix, strokeOf, type SiteStyle, type Theme } from "../shared/palette";
import type { SegmentUse } from "./space";

export const ROW = 18;
const BAR = 14;
/** Room for addresses on the left and figures on the right; narrow screens have neither. */
const LABEL = 128;
const FIGURES = 172;
const NARROW = 620;

/** Where bars lie across a width. */
export interface Columns {
    isNarrow: boolean;
    left: number;
    room: number;
}

export function columnsFor(width: number): Columns {
    const isNarrow = width < NARROW;
    return { isNarrow, left: isNarrow ? 0 : LABEL, room: Math.max(isNarrow ? width : width - LABEL - FIGURES, 20) };
}

export class SegmentPainter {
    private readonly context: CanvasRenderingContext2D;
    private readonly columns: Columns;

    constructor(
        private readonly surface: Surface,
        private readonly styles: SiteStyle[],
        private readonly theme: Theme,
        /** The row of the allocation that is outlined; -1 for none. */
        private readonly chosen: number,
    ) {
        this.context = surface.context;
        this.columns = columnsFor(surface.width);
    }

    row(segment: Segment, use: SegmentUse, top: number, width: number, isCurrent: boolean): void {
        this.context.textBaseline = "middle";
        if (!this.columns.isNarrow) {
            this.address(segment, top, isCurrent);
            this.figures(segment, use, top);
        }
        this.blocks(segment, top + (ROW - BAR) / 2, width, isCurrent);
        this.tag(segment, top, width);
    }

    private address(segment: Segment, top: number, isCurrent: boolean): void {
        this.context.fillStyle = css(isCurrent ? this.theme.ink : this.theme.faint);
        this.context.font = MONO_FONT;
        this.context.textAlign = "left";
        this.context.fillText(segment.address.slice(0, 18), 0, top + ROW / 2);
    }

    private figures(segment: Segment, use: SegmentUse, top: number): void {
        this.context.font = SMALL_FONT;
        this.context.textAlign = "right";
        this.context.fillStyle = css(this.theme.faint);
        const free = use.free > 0 ? `${formatBytes(use.free)} free of ${formatBytes(segment.bytes)}` : formatBytes(segment.bytes);
        this.context.fillText(free, this.surface.width, top + ROW / 2);
    }

    private blocks(segment: Segment, top: number, width: number, isCurrent: boolean): void {
        const { blocks } = segment;
        const { left } = this.columns;
        const scale = width / segment.bytes;
        this.context.fillStyle = patternFill(this.context, "rising", css(this.theme.paper), css(mix(this.theme.paper, this.theme.ink, 0.22)));
        this.context.fillRect(left, top, width, BAR);
        for (let i = 0; i < blocks.state.length; i++) {
            if (blocks.state[i] !== FREE) {
                this.block(left + blocks.offset[i] * scale, top, blocks.bytes[i] * scale, this.styles[blocks.site[i]], blocks.state[i]);
            }
        }
        this.outline(segment, left, top, scale);
        this.context.strokeStyle = css(isCurrent ? this.theme.ink : mix(this.theme.paper, this.theme.ink, 0.3));
        this.context.lineWidth = isCurrent ? 2 : 1;
        this.context.strokeRect(left + 0.5, Math.round(top) + 0.5, Math.max(width - 1, 1), BAR - 1);
    }

    /** Ink on paper around the chosen block, seen on every colour. */
    private outline({ blocks }: Segment, left: number, top: number, scale: number): void {
        const chosen = this.chosen < 0 ? -1 : blocks.allocation.indexOf(this.chosen);
        if (chosen < 0) {
            return;
        }
        const width = Math.max(blocks.bytes[chosen] * scale, 4);
        for (const [colour, line] of [[this.theme.paper, 5], [this.theme.ink, 2.5]] as const) {
            this.context.strokeStyle = css(colour);
            this.context.lineWidth = line;
            this.context.strokeRect(left + blocks.offset[chosen] * scale + 1, top + 1, width - 2, BAR - 2);
        }
    }

    private block(left: number, top: number, width: number, style: SiteStyle | undefined, state: number): void {
        const context = this.context;
        const known = style ?? { colour: this.theme.rest, pattern: "solid" as const };
        if (state === PENDING) {
            context.fillStyle = css(this.theme.paper);
            context.fillRect(left, top, width, BAR);
            context.strokeStyle = css(known.colour);
            context.lineWidth = 2;
            context.strokeRect(left + 1, top + 1, Math.max(width - 2, 1), BAR - 2);
            return;
        }
        context.fillStyle = fillOf(context, known, this.theme);
        context.fillRect(left, top, width, BAR);
        if (width > 4) {
            context.fillStyle = css(mix(strokeOf(known, this.theme), this.theme.paper, 0.4));
            context.fillRect(left + width - 1, top, 1, BAR);
        }
    }

    /** What is special about a segment, beside its bar or, where there is no room, on it. */
    private tag(segment: Segment, top: number, width: number): void {
        const notes = [segment.privatePool === null ? "" : `private pool ${segment.privatePool}`, segment.stream === 0 ? "" : `stream ${segment.streamNumber}`, segment.expandable ? "expandable" : ""];
        const tag = notes.filter((part) => part !== "").join(", ");
        if (tag === "") {
            return;
        }
        const { left, room } = this.columns;
        const beside = room - width - 12;
        this.context.font = SMALL_FONT;
        this.context.textAlign = "left";
        const text = fitText(this.context, tag, Math.max(beside, 160));
        const x = beside > 60 ? left + width + 6 : left + 4;
        this.context.strokeStyle = css(this.theme.paper);
        this.context.lineWidth = 3;
        this.context.strokeText(text, x, top + ROW / 2);
        this.context.fillStyle = css(this.theme.ink);
        this.context.fillText(text, x, top + ROW / 2);
    }
}
