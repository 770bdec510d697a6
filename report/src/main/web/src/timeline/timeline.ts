/*
 * Live bytes over events or time, stacked by site. Bands are painted by Bands, everything else by paint.ts; a change of the view asks for one
 * frame, however many changes there are.
 */
import type { Finding, StepSummary } from "report";
import type { ChosenMoment } from "../moment/chosenMoment";
import type { Picture } from "../data/picture";
import type { PictureSite } from "../data/schema";
import type { PageState } from "../state";
import { Surface } from "../shared/canvas";
import { attributes, checkBox, element, section } from "../shared/dom";
import { counted, formatBytes, formatCount } from "../shared/format";
import { onThemeChange, theme } from "../shared/theme";
import { tooltip } from "../shared/tooltip";
import { bandLines, allocationText } from "./bandNote";
import { Bands } from "./bands";
import { changePoints } from "./changePoints";
import { annotationAt, annotationRows, FEW_ROWS, geometryFor, MOST_ROWS, type Geometry } from "./geometry";
import { TimelineInput, type Pointed } from "./input";
import { Legend } from "./legend";
import { momentAt, momentPlace, momentTotals, type Moment } from "./moment";
import { paintBackground, paintForeground } from "./paint";
import { Pen, type Scene } from "./pen";
import { TimelineToolbar } from "./toolbar";
import { TimelineView } from "./view";

export class Timeline {
    readonly root: HTMLElement;
    private readonly view: TimelineView;
    private readonly bands: Bands;
    private readonly surface: Surface;
    private readonly toolbar: TimelineToolbar;
    private readonly legend: Legend;
    private readonly scene: Scene;
    private readonly status = element("p", "status");
    private readonly pinnedStack = element("pre", "stack");
    private readonly grain = element("p", "grain");
    private moment: ChosenMoment | null = null;
    private lastPinned: number | null = null;

    constructor(
        private readonly picture: Picture,
        steps: StepSummary,
        findings: (Finding | null)[],
        owners: number[],
        private readonly moved: () => void,
    ) {
        this.view = new TimelineView(picture, () => this.changed());
        this.bands = new Bands(picture, this.view, () => this.surface, () => this.geometry());
        this.scene = { view: this.view, picture, steps, rows: annotationRows(picture.annotations, FEW_ROWS), changes: changePoints(picture, findings, owners) };
        this.surface = new Surface(this.summary(), (width) => this.geometry(width).height, () => this.draw());
        this.legend = new Legend(this.view, (moment, heading) => this.report(moment, heading));
        this.toolbar = new TimelineToolbar(this.view, () => this.bands.pixels, this.rangesBox());
        onThemeChange(() => this.legend.build());
        new TimelineInput(this.surface, this.view, () => this.geometry(), this.pointed());
        this.surface.canvas.addEventListener("click", (event) => this.showStack(event));
        this.root = this.build();
    }

    private pointed(): Pointed {
        return {
            over: (event, x, y) => this.point(event, x, y),
            out: () => tooltip.hide(),
            drawn: (position) => this.bands.columnAt(position).event,
            neighbour: (event, direction) => this.bands.neighbour(event, direction),
        };
    }

    /** Fades all sites but those of a finding. */
    emphasise(finding: number): void {
        const sites = this.picture.sites.flatMap((site, index) => (site.finding === finding ? [index] : []));
        this.view.set({ emphasised: new Set(sites) });
    }

    /** Lets a moment follow the cursor, and shows what it is compared with. */
    follow(moment: ChosenMoment): void {
        this.moment = moment;
        moment.onChange(() => this.view.set({ mark: moment.mark }));
    }

    /** What is shown, for the page's address. */
    get state(): Omit<PageState, "device"> {
        return this.view.state;
    }

    restore(state: PageState): void {
        this.view.restore(state);
        this.toolbar.choose(state.axis);
    }

    get pinned(): number | null {
        return this.view.pinned;
    }

    /** Puts the cursor at an event, and that into view. */
    pin(event: number): void {
        this.view.set({ pinned: event });
        this.view.reveal(event);
    }

    /** An event in words. */
    eventName(event: number): string {
        return momentPlace(momentAt(this.view, event));
    }

    private changed(): void {
        const { pinned } = this.view;
        const isMoved = pinned !== this.lastPinned;
        this.lastPinned = pinned;
        if (isMoved && pinned !== null && this.moment?.follows === true) {
            this.moment.choose(pinned);
        }
        this.surface.redraw();
        this.moved();
    }

    private build(): HTMLElement {
        attributes(this.status, { "aria-live": "polite" });
        this.pinnedStack.hidden = true;
        const plot = element("div", "plot", this.surface.canvas, this.grain, this.status, this.pinnedStack);
        const note =
            `Live bytes by line of code; dashed: bytes reserved by the allocator. ${shadeNote(this.picture.sites)}Drag to zoom in on a range, then drag to pan; ` +
            "the wheel zooms, with Shift vertically. A click sets the cursor. Keys: + − ← → ↑ ↓, Enter, Esc, Home.";
        return section("timeline", "Timeline", note, this.toolbar.root, element("div", "with-legend", plot, this.legend.root));
    }

    /** Shows the ranges that a few rows have no room for; null where there are none. */
    private rangesBox(): HTMLElement | null {
        const hidden = this.scene.rows.filter((row) => row < 0).length;
        if (hidden === 0) {
            return null;
        }
        return checkBox(`All ranges (${formatCount(hidden)} more)`, false, (checked) => {
            this.scene.rows = annotationRows(this.picture.annotations, checked ? MOST_ROWS : FEW_ROWS);
            this.surface.redraw();
        });
    }

    private geometry(width: number = this.surface.width): Geometry {
        const rows = this.scene.rows.reduce((most, row) => Math.max(most, row + 1), 0);
        const hasPhases = this.scene.steps.phases.length > 1 && this.picture.steps.length > 1;
        return geometryFor(width, { hasPhases, hasSteps: this.picture.steps.length > 1, annotationRows: rows });
    }

    private draw(): void {
        const geometry = this.geometry();
        const pen = new Pen(this.surface, geometry, this.scene, theme());
        paintBackground(pen);
        this.bands.draw(pen);
        paintForeground(pen);
        this.grain.textContent = grainText(this.bands);
        this.toolbar.hasBlocks = this.bands.isExact;
        this.legend.update();
    }

    private point(event: MouseEvent, x: number, y: number): void {
        if (this.view.hovered === null) {
            return;
        }
        const { column, band } = this.bands.at(x, y);
        const moment = momentAt(this.view, this.view.hovered);
        tooltip.show(event, [...this.rangeLines(y), ...bandLines(this.picture, column, band, moment), momentPlace(moment), momentTotals(moment)]);
    }

    /** The range that is pointed at, which may be too narrow to hold its name. */
    private rangeLines(y: number): string[] {
        const { annotations } = this.picture;
        const range = annotations[annotationAt(annotations, this.scene.rows, this.geometry(), y, this.view.hovered ?? 0)];
        return range === undefined ? [] : [`range ${range.name}: ${counted(range.to - range.from, "event")}`];
    }

    /** After a click on a single allocation: where it was made. */
    private showStack(event: MouseEvent): void {
        const { left, plotBottom } = this.geometry();
        const { x, y } = this.surface.at(event);
        this.pinnedStack.hidden = true;
        if (!this.bands.isExact || this.view.pinned === null || y > plotBottom || x < left) {
            return;
        }
        const { column, band } = this.bands.at(x, y);
        const allocation = band < 0 ? -1 : column.allocation[band];
        if (allocation >= 0) {
            const lines = bandLines(this.picture, column, band, momentAt(this.view, this.view.pinned));
            this.pinnedStack.textContent = allocationText(this.picture, lines, allocation);
            this.pinnedStack.hidden = false;
        }
    }

    private report(moment: Moment, heading: string): void {
        const largest = moment.bySite.indexOf(Math.max(...moment.bySite));
        const name = this.picture.sites[largest]?.label ?? "";
        const text = `${heading}: ${momentPlace(moment)}. ${momentTotals(moment)}. Largest: ${name.slice(0, 200)}, ${formatBytes(moment.bySite[largest] ?? 0)}.`;
        if (this.view.hovered === null && this.status.textContent !== text) {
            this.status.textContent = text;
        }
    }

    private summary(): string {
        const { picture } = this;
        const view = this.view;
        const peak = momentAt(view, picture.peak);
        return (
            `Stacked areas of live GPU memory over ${counted(picture.events, "event")}: peak ${formatBytes(peak.live)} at ${momentPlace(peak)}. ` +
            `${counted(picture.sites.length, "site")}. Arrow keys move, plus and minus zoom, Enter sets the cursor, Home resets the zoom.`
        );
    }
}

/** How much of the recording a column stands for. */
function grainText({ isExact, eventsOfColumn }: Bands): string {
    if (isExact || eventsOfColumn === 1) {
        return isExact ? "Every event and every block is drawn." : "Every event is drawn.";
    }
    return `1 column = up to ${counted(eventsOfColumn, "event")}; it shows the moment with the most live bytes.`;
}

/** What shades of one colour mean, where a finding has several lines. */
function shadeNote(sites: PictureSite[]): string {
    const owners = sites.flatMap(({ finding }) => (finding === null ? [] : [finding]));
    return new Set(owners).size < owners.length ? "Shades of one strong colour are lines of one finding. " : "";
}
