/*
 * The segments at the chosen moment: a row for each, its blocks where they lie. Only the rows in view are drawn; the canvas stays in
 * view while a spacer as tall as all rows scrolls.
 */
import { FREE, layoutAt, PENDING, type Segment } from "../data/layout";
import { stackLines, type Picture } from "../data/picture";
import { lastAtOrBelow } from "../data/search";
import type { ChosenMoment } from "../moment/chosenMoment";
import { Surface } from "../shared/canvas";
import { attributes, checkBox, choice, element, section } from "../shared/dom";
import { counted, formatBytes, formatPercent } from "../shared/format";
import { siteStyles } from "../shared/palette";
import { theme } from "../shared/theme";
import { tooltip } from "../shared/tooltip";
import { failureView } from "./failure";
import { columnsFor, ROW, SegmentPainter } from "./paintSegments";
import { segmentKey } from "./segmentKey";
import { failureAt, segmentNote, sortedSegments, sumOf, useOf, type Failure, type SegmentOrder, type SegmentUse } from "./space";

const MOST_VISIBLE = 28;
const STACK_LINES = 5;

export class SegmentMap {
    readonly root: HTMLElement;
    private readonly picture: Picture;
    private readonly surface: Surface;
    private readonly scroller = element("div", "scroller");
    private readonly spacer = element("div");
    private readonly status = attributes(element("p", "status"), { "aria-live": "polite" });
    private readonly totals = attributes(element("p", "totals-line"), { role: "status" });
    private readonly failure = element("div");
    private readonly request = element("div", "request");
    private segments: Segment[] = [];
    private uses: SegmentUse[] = [];
    private failed: Failure | null = null;
    private largest = 1;
    private order: SegmentOrder = "size";
    private rows: number[] = [];
    private isToScale = true;
    private current = -1;

    constructor(private readonly moment: ChosenMoment) {
        this.picture = moment.picture;
        this.surface = new Surface("", () => Math.max(this.visibleRows(), 1) * ROW, () => this.draw());
        this.root = this.build();
        this.listen();
        moment.onChange(() => this.load());
        this.load();
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
            checkBox("Same scale for all rows", true, (checked) => this.scale(checked)),
            segmentKey(),
        );
        this.scroller.append(this.surface.canvas, this.spacer);
        const note = "The segments at the chosen moment, a row for each, and the blocks in them, in the colours of the lines that allocated them.";
        return section("segments", "Segments", note, this.failure, this.totals, bar, this.request, this.scroller, this.status);
    }

    /** Lays out the chosen moment. */
    private load(): void {
        this.segments = layoutAt(this.picture, this.moment.event);
        this.uses = this.segments.map(useOf);
        this.failed = failureAt(this.picture.oom, this.moment.event, this.segments);
        const most = this.segments.reduce((largest, segment) => Math.max(largest, segment.bytes), 1);
        this.largest = Math.max(most, this.failed?.mark.requested ?? 0);
        this.failure.replaceChildren(...(this.failed === null ? [] : [failureView(this.failed)]));
        this.totals.textContent = this.summary();
        this.current = -1;
        this.status.textContent = "";
        this.drawRequest();
        this.sort(this.order);
        this.surface.canvas.setAttribute("aria-label", `Map of ${this.summary()}. Arrow keys move from segment to segment.`);
    }

    private summary(): string {
        const use = sumOf(this.uses);
        const all = this.segments.reduce((sum, segment) => sum + segment.bytes, 0);
        const waiting = use.pending > 0 ? `, ${formatBytes(use.pending)} freed, waiting for a stream` : "";
        const holes = use.free > 0 ? ` in ${counted(use.holes, "hole")}, the largest ${formatBytes(use.largestHole)}` : "";
        const omitted = this.picture.omittedSegments > 0 ? `; ${counted(this.picture.omittedSegments, "smaller segment")} left out` : "";
        return `${counted(this.segments.length, "segment")}, ${formatBytes(all)}: ${formatBytes(use.live)} live${waiting}, ${formatBytes(use.free)} free (${formatPercent(use.free / Math.max(all, 1))})${holes}${omitted}`;
    }

    private sort(order: SegmentOrder): void {
        this.order = order;
        this.rows = sortedSegments(this.segments, order);
        this.spacer.style.height = `${this.rows.length * ROW}px`;
        this.scroller.style.maxHeight = `${Math.max(this.visibleRows(), 1) * ROW}px`;
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
        const painter = new SegmentPainter(this.surface, siteStyles(this.picture.sites, theme()), theme());
        const first = Math.floor(this.scroller.scrollTop / ROW);
        const offset = this.scroller.scrollTop - first * ROW;
        for (let i = 0; i <= this.visibleRows() && first + i < this.rows.length; i++) {
            const segment = this.segments[this.rows[first + i]];
            painter.row(segment, this.uses[this.rows[first + i]], i * ROW - offset, this.barWidth(segment.bytes), first + i === this.current);
        }
        this.drawRequest();
    }

    /** The request that failed, above the rows and to their scale. */
    private drawRequest(): void {
        this.request.hidden = this.failed === null || !this.isToScale;
        if (this.failed !== null) {
            const { requested } = this.failed.mark;
            const { left, room } = columnsFor(this.surface.width);
            const width = this.barWidth(requested);
            const bar = element("span", "requested-bar");
            bar.style.width = `${width}px`;
            const name = element("span", "requested-name", `${formatBytes(requested)} requested`);
            name.style.left = `${width < room - 160 ? left + width + 8 : left + 6}px`;
            name.classList.toggle("within", width >= room - 160);
            bar.style.left = `${left}px`;
            this.request.replaceChildren(bar, name);
        }
    }

    private barWidth(bytes: number): number {
        const { room } = columnsFor(this.surface.width);
        return this.isToScale ? Math.max((bytes / this.largest) * room, 2) : room;
    }

    private hover(event: MouseEvent): void {
        const { x, y } = this.surface.at(event);
        const row = Math.floor((y + this.scroller.scrollTop) / ROW);
        const segment = this.segments[this.rows[row] ?? -1];
        if (segment === undefined) {
            tooltip.hide();
            return;
        }
        const offset = ((x - columnsFor(this.surface.width).left) / this.barWidth(segment.bytes)) * segment.bytes;
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
            const requested = this.failed?.mark.requested ?? 0;
            return [`${size} free, ${place}${blocks.bytes[block] < requested ? `: too small for ${formatBytes(requested)}` : ""}`];
        }
        const site = this.picture.sites[blocks.site[block]]?.label ?? "(no line known)";
        const waiting = blocks.state[block] === PENDING ? ", freed, waiting for a stream" : "";
        return [site, `${size} ${place}${waiting}`, ...stackLines(this.picture, blocks.allocation[block]).slice(0, STACK_LINES)];
    }

    private describe(index: number): string {
        const segment = this.segments[index];
        const use = this.uses[index];
        const free = use.free > 0 ? `${formatBytes(use.free)} free in ${counted(use.holes, "hole")}` : "full";
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
