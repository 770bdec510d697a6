/** The segments at the chosen moment: a row for each, its blocks where they lie, and beside them the request that failed. */
import { BlockPanel } from "../block/blockPanel";
import { nameOf } from "../data/allocations";
import { layoutAt, type Segment } from "../data/layout";
import type { ChosenMoment } from "../moment/chosenMoment";
import { attributes, checkBox, choice, element, section } from "../shared/dom";
import { tooltip } from "../shared/tooltip";
import { failureView } from "./failure";
import { requestBar } from "./request";
import { segmentKey } from "./segmentKey";
import { SegmentRows } from "./segmentRows";
import { blockText, segmentsSummary, segmentText } from "./segmentText";
import { failureAt, useOf, type Failure, type SegmentOrder, type SegmentUse } from "./space";

export class SegmentMap {
    readonly root: HTMLElement;
    private readonly rows: SegmentRows;
    private readonly status = attributes(element("p", "status"), { "aria-live": "polite" });
    private readonly totals = attributes(element("p", "totals-line"), { role: "status" });
    private readonly failure = element("div");
    private readonly request = element("div", "request");
    private segments: Segment[] = [];
    private uses: SegmentUse[] = [];
    private failed: Failure | null = null;
    private order: SegmentOrder = "size";

    constructor(private readonly moment: ChosenMoment) {
        this.rows = new SegmentRows(moment.picture, () => moment.block, (segment) => this.say(segment));
        this.rows.drawn = () => this.drawRequest();
        this.root = this.build();
        const { canvas } = this.rows.surface;
        canvas.addEventListener("pointermove", (event) => this.hover(event));
        canvas.addEventListener("pointerleave", () => tooltip.hide());
        canvas.addEventListener("click", (event) => this.pick(event));
        moment.onChange(() => this.load());
        moment.onBlock(() => this.rows.surface.redraw());
        this.load();
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
        const note =
            "The segments at the chosen moment, a row for each, and the blocks in them, in the colours of the lines that allocated them. " +
            "A click chooses a block.";
        return section("segments", "Segments", note, this.failure, this.totals, bar, this.request, this.rows.root, this.status, new BlockPanel(this.moment).root);
    }

    /** Lays out the chosen moment. */
    private load(): void {
        const { picture, event } = this.moment;
        this.segments = layoutAt(picture, event);
        this.uses = this.segments.map(useOf);
        this.failed = failureAt(picture.oom, event, this.segments);
        this.failure.replaceChildren(...(this.failed === null ? [] : [failureView(this.failed)]));
        const summary = segmentsSummary(this.segments, this.uses, picture.omittedSegments);
        this.totals.textContent = summary;
        this.status.textContent = "";
        attributes(this.rows.surface.canvas, { "aria-label": `Map of ${summary}. Arrow keys move from segment to segment.` });
        this.sort(this.order);
    }

    private sort(order: SegmentOrder): void {
        this.order = order;
        const largest = this.segments.reduce((most, segment) => Math.max(most, segment.bytes), this.failed?.mark.requested ?? 1);
        this.rows.show(this.segments, this.uses, largest, order);
    }

    private scale(isToScale: boolean): void {
        this.rows.isToScale = isToScale;
        this.rows.surface.redraw();
    }

    /** The request, on the scale of the rows. */
    private drawRequest(): void {
        const isShown = this.failed !== null && this.rows.isToScale;
        this.request.hidden = !isShown;
        if (this.failed !== null && isShown) {
            const { requested } = this.failed.mark;
            this.request.replaceChildren(...requestBar(requested, this.rows.barWidth(requested), this.rows.surface.width));
        }
    }

    private hover(event: MouseEvent): void {
        const place = this.rows.at(event);
        if (place === null) {
            tooltip.hide();
            return;
        }
        const segment = this.segments[place.segment];
        const block = place.block < 0 ? [] : blockText(this.moment.picture, segment, place.block, this.failed);
        tooltip.show(event, [...block, segmentText(segment, this.uses[place.segment])]);
    }

    /** Chooses the block that was clicked; none for a hole. */
    private pick(event: MouseEvent): void {
        const place = this.rows.at(event);
        const { blocks, allocations } = this.segments[place?.segment ?? 0] ?? {};
        const row = place === null || place.block < 0 ? -1 : (blocks?.allocation[place.block] ?? -1);
        this.moment.chooseBlock(allocations === undefined || row < 0 ? null : nameOf(allocations, row));
    }

    private say(segment: number): void {
        this.status.textContent = segmentText(this.segments[segment], this.uses[segment]);
    }
}
