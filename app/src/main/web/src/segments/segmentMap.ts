/*
 * The final state: a row for each segment, its blocks where they lie. Only the rows in view are drawn; the canvas stays in view while
 * a spacer as tall as all rows scrolls.
 */
import { stackLines, type Picture, type Segment } from "../data/picture";
import { lastAtOrBelow } from "../data/search";
import { fillOf, fitText, MONO_FONT, patternFill, SMALL_FONT, Surface } from "../shared/canvas";
import { attributes, checkBox, choice, element, section } from "../shared/dom";
import { counted, formatBytes, formatPercent } from "../shared/format";
import { css, mix, siteStyles, strokeOf, type SiteStyle, type Theme } from "../shared/palette";
import { theme } from "../shared/theme";
import { tooltip } from "../shared/tooltip";
import { failureView } from "./failure";
import { FREE, lastFailure, PENDING, segmentNote, sortedSegments, useOf, type SegmentOrder, type SegmentUse } from "./space";

const ROW = 18;
const BAR = 14;
/** Room for addresses on the left and figures on the right; narrow screens have neither. */
const LABEL = 128;
const FIGURES = 172;
const NARROW = 620;
const MOST_VISIBLE = 28;
const STACK_LINES = 5;

export class SegmentMap {
    readonly root: HTMLElement;
    private readonly surface: Surface;
    private readonly scroller = element("div", "scroller");
    private readonly spacer = element("div");
    private readonly status = attributes(element("p", "status"), { "aria-live": "polite" });
    private readonly uses: SegmentUse[];
    private readonly largest: number;
    private order: SegmentOrder = "size";
    private rows: number[];
    private isToScale = true;
    private current = -1;

    constructor(private readonly picture: Picture) {
        const { segments } = picture;
        this.uses = segments.map(useOf);
        this.largest = segments.reduce((most, segment) => Math.max(most, segment.bytes), 1);
        this.rows = sortedSegments(segments, this.order);
        this.surface = new Surface(this.summary(), () => this.visibleRows() * ROW, () => this.draw());
        this.root = this.build();
        this.listen();
    }

    private visibleRows(): number {
        return Math.min(this.rows.length, MOST_VISIBLE);
    }

    private build(): HTMLElement {
        const orders: [SegmentOrder, string][] = [["size", "Largest first"], ["free", "Most free first"], ["address", "By address"]];
        const bar = element(
            "div",
            "toolbar",
            choice("Order", orders, this.order, (order) => this.sort(order)),
            checkBox("All rows to one scale", true, (checked) => this.scale(checked)),
            element("span", "result", this.totals()),
        );
        this.spacer.style.height = `${this.rows.length * ROW}px`;
        this.scroller.style.maxHeight = `${this.visibleRows() * ROW}px`;
        this.scroller.append(this.surface.canvas, this.spacer);
        const note = "The final state: segments as the driver gave them, blocks in the colours of their lines. Hatched is free; an outline is freed but still waiting for a stream.";
        const failure = lastFailure(this.picture);
        return section("segments", "Segments", note, failure === null ? null : failureView(failure), bar, this.scroller, this.status);
    }

    private totals(): string {
        const free = this.uses.reduce((sum, use) => sum + use.free, 0);
        const all = this.picture.segments.reduce((sum, segment) => sum + segment.bytes, 0);
        const omitted = this.picture.omittedSegments > 0 ? `; ${counted(this.picture.omittedSegments, "smaller segment")} left out` : "";
        return `${counted(this.picture.segments.length, "segment")}, ${formatBytes(all)}, of which ${formatBytes(free)} free (${formatPercent(free / Math.max(all, 1))})${omitted}`;
    }

    private summary(): string {
        return `Map of ${this.totals()}. Arrow keys move from segment to segment.`;
    }

    private sort(order: SegmentOrder): void {
        this.order = order;
        this.rows = sortedSegments(this.picture.segments, order);
        this.scroller.scrollTop = 0;
        this.surface.redraw();
    }

    private scale(isToScale: boolean): void {
        this.isToScale = isToScale;
        this.surface.redraw();
    }

    private listen(): void {
        const { canvas } = this.surface;
        this.scroller.addEventListener("scroll", () => this.surface.redraw(), { passive: true });
        canvas.addEventListener("pointermove", (event) => this.hover(event));
        canvas.addEventListener("pointerleave", () => tooltip.hide());
        canvas.addEventListener("keydown", (event) => this.key(event));
        canvas.addEventListener("blur", () => this.focusRow(-1));
    }

    private draw(): void {
        const styles = siteStyles(this.picture.sites, theme());
        const first = Math.floor(this.scroller.scrollTop / ROW);
        const offset = this.scroller.scrollTop - first * ROW;
        for (let i = 0; i <= this.visibleRows() && first + i < this.rows.length; i++) {
            this.drawRow(first + i, i * ROW - offset, styles, theme());
        }
    }

    private drawRow(row: number, top: number, styles: SiteStyle[], colours: Theme): void {
        const segment = this.picture.segments[this.rows[row]];
        const context = this.surface.context;
        context.textBaseline = "middle";
        context.fillStyle = css(row === this.current ? colours.ink : colours.faint);
        context.font = MONO_FONT;
        context.textAlign = "left";
        if (!this.isNarrow) {
            context.fillText(segment.address.slice(0, 18), 0, top + ROW / 2);
            this.drawFigures(row, segment, top, colours);
        }
        this.drawBlocks(segment, top + (ROW - BAR) / 2, styles, colours);
        this.drawTag(segment, top, colours);
    }

    private drawFigures(row: number, segment: Segment, top: number, colours: Theme): void {
        const context = this.surface.context;
        const use = this.uses[this.rows[row]];
        context.font = SMALL_FONT;
        context.textAlign = "right";
        context.fillStyle = css(colours.faint);
        const free = use.free > 0 ? `${formatBytes(use.free)} free of ${formatBytes(segment.bytes)}` : formatBytes(segment.bytes);
        context.fillText(free, this.surface.width, top + ROW / 2);
    }

    /** What is special about a segment, beside its bar or, where there is no room, on it. */
    private drawTag(segment: Segment, top: number, colours: Theme): void {
        const tag = [segment.privatePool === null ? "" : `private pool ${segment.privatePool}`, segment.expandable ? "expandable" : ""].filter((part) => part !== "").join(", ");
        if (tag === "") {
            return;
        }
        const context = this.surface.context;
        const end = this.left + this.barWidth(segment);
        const room = this.surface.width - this.figures - end - 12;
        context.font = SMALL_FONT;
        context.textAlign = "left";
        const text = fitText(context, tag, Math.max(room, 160));
        const x = room > 60 ? end + 6 : this.left + 4;
        context.strokeStyle = css(colours.paper);
        context.lineWidth = 3;
        context.strokeText(text, x, top + ROW / 2);
        context.fillStyle = css(colours.ink);
        context.fillText(text, x, top + ROW / 2);
    }

    private get isNarrow(): boolean {
        return this.surface.width < NARROW;
    }

    /** Where bars begin. */
    private get left(): number {
        return this.isNarrow ? 0 : LABEL;
    }

    private get figures(): number {
        return this.isNarrow ? 0 : FIGURES;
    }

    private barWidth(segment: Segment): number {
        const room = Math.max(this.surface.width - this.left - this.figures, 20);
        return this.isToScale ? Math.max((segment.bytes / this.largest) * room, 2) : room;
    }

    private drawBlocks(segment: Segment, top: number, styles: SiteStyle[], colours: Theme): void {
        const context = this.surface.context;
        const width = this.barWidth(segment);
        const scale = width / segment.bytes;
        const { blocks } = segment;
        const hole = patternFill(context, "rising", css(colours.paper), css(mix(colours.paper, colours.ink, 0.22)));
        context.fillStyle = hole;
        context.fillRect(this.left, top, width, BAR);
        for (let i = 0; i < blocks.state.length; i++) {
            if (blocks.state[i] !== FREE) {
                const left = this.left + blocks.offset[i] * scale;
                this.drawBlock(left, top, blocks.bytes[i] * scale, styles[blocks.site[i]], blocks.state[i], colours);
            }
        }
        context.strokeStyle = css(mix(colours.paper, colours.ink, 0.3));
        context.lineWidth = 1;
        context.strokeRect(this.left + 0.5, Math.round(top) + 0.5, Math.max(width - 1, 1), BAR - 1);
    }

    private drawBlock(left: number, top: number, width: number, style: SiteStyle | undefined, state: number, colours: Theme): void {
        const context = this.surface.context;
        const known = style ?? { colour: colours.rest, pattern: "solid" as const };
        if (state === PENDING) {
            context.fillStyle = css(colours.paper);
            context.fillRect(left, top, width, BAR);
            context.strokeStyle = css(known.colour);
            context.lineWidth = 2;
            context.strokeRect(left + 1, top + 1, Math.max(width - 2, 1), BAR - 2);
            return;
        }
        context.fillStyle = fillOf(context, known, colours);
        context.fillRect(left, top, width, BAR);
        if (width > 4) {
            context.fillStyle = css(mix(strokeOf(known, colours), colours.paper, 0.4));
            context.fillRect(left + width - 1, top, 1, BAR);
        }
    }

    private rowAt(y: number): number {
        const row = Math.floor((y + this.scroller.scrollTop) / ROW);
        return row >= 0 && row < this.rows.length ? row : -1;
    }

    private hover(event: MouseEvent): void {
        const { x, y } = this.surface.at(event);
        const row = this.rowAt(y);
        if (row < 0) {
            tooltip.hide();
            return;
        }
        const segment = this.picture.segments[this.rows[row]];
        const offset = ((x - this.left) / this.barWidth(segment)) * segment.bytes;
        const block = offset >= 0 && offset < segment.bytes ? lastAtOrBelow(segment.blocks.offset, offset) : -1;
        tooltip.show(event, [...(block >= 0 ? this.describeBlock(segment, block, offset) : []), this.describe(this.rows[row])]);
    }

    private describeBlock(segment: Segment, block: number, offset: number): string[] {
        const { blocks } = segment;
        if (offset >= blocks.offset[block] + blocks.bytes[block]) {
            return [];
        }
        const size = formatBytes(blocks.bytes[block]);
        const place = `at offset ${formatBytes(blocks.offset[block])}`;
        if (blocks.state[block] === FREE) {
            return [`${size} free, ${place}`];
        }
        const site = this.picture.sites[blocks.site[block]]?.label ?? "(no line known)";
        const waiting = blocks.state[block] === PENDING ? ", freed but waiting for a stream" : "";
        return [site, `${size} ${place}${waiting}`, ...stackLines(this.picture, blocks.stack[block]).slice(0, STACK_LINES)];
    }

    private describe(index: number): string {
        const segment = this.picture.segments[index];
        const use = this.uses[index];
        const free = use.free > 0 ? `${formatBytes(use.free)} free in ${counted(use.holes, "piece")}` : "full";
        return `segment ${segment.address}: ${formatBytes(segment.bytes)}, ${segmentNote(segment)}, ${free}`;
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
            this.status.textContent = this.describe(this.rows[row]);
            const top = row * ROW;
            const room = this.visibleRows() * ROW;
            this.scroller.scrollTop = Math.min(Math.max(this.scroller.scrollTop, top + ROW - room), top);
        }
        this.surface.redraw();
    }
}
