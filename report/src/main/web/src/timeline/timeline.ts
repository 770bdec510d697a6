/*
 * Live bytes over events or time, stacked by site. Pixels of bands come from Raster, everything else from Painter; a change of the
 * view asks for one frame, however many changes there are.
 */
import type { Finding, StepSummary } from "report";
import type { ChosenMoment } from "../moment/chosenMoment";
import type { Picture } from "../data/picture";
import type { PictureSite } from "../data/schema";
import { Surface } from "../shared/canvas";
import { append, attributes, button, checkBox, choice, element, section } from "../shared/dom";
import { counted, formatBytes, formatCount } from "../shared/format";
import { siteStyles, type SiteStyle } from "../shared/palette";
import { toValue } from "../shared/scale";
import { onThemeChange, theme } from "../shared/theme";
import { tooltip } from "../shared/tooltip";
import type { Column } from "./column";
import { bandAt, Columns, type ColumnSource } from "./columns";
import { bandLines, allocationText } from "./bandNote";
import { changePoints } from "./changePoints";
import { annotationAt, annotationRows, FEW_ROWS, geometryFor, MOST_ROWS, horizontal, vertical, type Geometry } from "./geometry";
import { TimelineInput } from "./input";
import { Legend } from "./legend";
import { momentAt, momentPlace, momentTotals, type Moment } from "./moment";
import { paintBackground, paintForeground } from "./paint";
import { paintBandLabels } from "./paintBandLabels";
import { Pen, type Scene } from "./pen";
import { drawOver, inks, Raster, type Ink } from "./raster";
import { TimelineView } from "./view";

/** Device pixels below which neighbouring allocations are drawn as one. */
const SMALLEST_BAND = 2;

export class Timeline {
    readonly root: HTMLElement;
    private readonly view: TimelineView;
    private readonly columns: Columns;
    private readonly raster = new Raster();
    private readonly surface: Surface;
    private readonly legend: Legend;
    private readonly scene: Scene;
    private readonly status = element("p", "status");
    private readonly pinnedStack = element("pre", "stack");
    private source: ColumnSource | null = null;
    private moment: ChosenMoment | null = null;
    private lastPinned: number | null = null;
    /** What the bands were last painted for: as long as it is the same, so are they. */
    private painted: unknown[] = [];

    constructor(
        private readonly picture: Picture,
        steps: StepSummary,
        findings: (Finding | null)[],
        owners: number[],
    ) {
        this.view = new TimelineView(picture, () => this.changed());
        this.columns = new Columns(picture);
        this.scene = { view: this.view, picture, steps, rows: annotationRows(picture.annotations, FEW_ROWS), changes: changePoints(picture, findings, owners) };
        this.surface = new Surface(this.summary(), (width) => this.geometry(width).height, () => this.draw());
        this.legend = new Legend(this.view, (moment, isPeak) => this.report(moment, isPeak));
        onThemeChange(() => this.legend.build());
        const pointed = { over: (event: MouseEvent, x: number, y: number) => this.point(event, x, y), out: () => tooltip.hide() };
        new TimelineInput(this.surface, this.view, () => this.geometry(), pointed);
        this.surface.canvas.addEventListener("click", (event) => this.showStack(event));
        this.root = this.build();
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
    }

    private build(): HTMLElement {
        attributes(this.status, { "aria-live": "polite" });
        this.pinnedStack.hidden = true;
        const plot = element("div", "plot", this.surface.canvas, this.status, this.pinnedStack);
        const note =
            `Live bytes by line of code; dashed: bytes reserved by the allocator. ${shadeNote(this.picture.sites)}Drag to zoom in on a range, then drag to pan; ` +
            "the wheel zooms, with Shift vertically. A click sets the cursor. Keys: + − ← → ↑ ↓, Enter, Esc, Home.";
        return section("timeline", "Timeline", note, this.toolbar(), element("div", "with-legend", plot, this.legend.root));
    }

    private toolbar(): HTMLElement {
        const zoom = (factor: number) => this.view.zoom((this.view.range.from + this.view.range.to) / 2, factor);
        const bar = element("div", "toolbar");
        if (this.view.axes.time !== null) {
            bar.append(choice("Horizontal axis", [["events", "Events"], ["time", "Time"]], "events", (kind) => this.view.use(kind)));
        }
        append(bar, [
            button("+", () => zoom(0.5), "Zoom in"),
            button("−", () => zoom(2), "Zoom out"),
            button("Reset zoom", () => this.view.reset(), "Show the whole recording (Home)"),
            button("Fit height", () => this.fitHeight(), "Scale the bytes in view to the full height"),
            button("Zoom to peak", () => this.toPeak(), "Show the events around the peak"),
            this.rangesBox(),
        ]);
        return bar;
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

    /** Shows the heights between the lowest and the highest live bytes in view. */
    private fitHeight(): void {
        const { lowest, highest } = this.view.extremes();
        const margin = Math.max((highest - lowest) * 0.08, 1024);
        this.view.showBytes({ from: Math.max(lowest - margin, 0), to: highest + margin });
    }

    private toPeak(): void {
        const { axis } = this.view;
        const half = Math.min(Math.max(this.picture.events / 200, 40), 200);
        this.view.set({ pinned: this.picture.peak });
        this.view.show({ from: axis.fromEvent(this.picture.peak - half), to: axis.fromEvent(this.picture.peak + half) });
    }

    private geometry(width: number = this.surface.width): Geometry {
        const rows = this.scene.rows.reduce((most, row) => Math.max(most, row + 1), 0);
        const hasPhases = this.scene.steps.phases.length > 1 && this.picture.steps.length > 1;
        return geometryFor(width, { hasPhases, hasSteps: this.picture.steps.length > 1, annotationRows: rows });
    }

    private draw(): void {
        const geometry = this.geometry();
        const pen = new Pen(this.surface, geometry, this.scene, theme());
        const styles = siteStyles(this.picture.sites, theme());
        paintBackground(pen);
        if (this.picture.levels.length > 0) {
            this.drawBands(geometry, styles);
            paintBandLabels(pen, styles, this.source?.isExact === true, (x) => this.columnAt(geometry, x));
        }
        paintForeground(pen);
        this.legend.update();
    }

    private drawBands(geometry: Geometry, styles: SiteStyle[]): void {
        const { ratio, context } = this.surface;
        const width = Math.max(Math.round((geometry.right - geometry.left) * ratio), 1);
        const height = Math.max(Math.round((geometry.plotBottom - geometry.plotTop) * ratio), 1);
        const { range, bytes, axis, emphasised } = this.view;
        const painted = [width, height, range, bytes, axis, emphasised, theme()];
        if (painted.some((value, i) => value !== this.painted[i])) {
            this.painted = painted;
            this.paintBands(width, height, inks(styles, theme(), emphasised));
        }
        context.save();
        context.setTransform(1, 0, 0, 1, 0, 0);
        drawOver(context, this.raster.data, Math.round(geometry.left * ratio), Math.round(geometry.plotTop * ratio));
        context.restore();
    }

    private paintBands(width: number, height: number, palette: Ink[]): void {
        const { range, bytes, axis } = this.view;
        const scale = height / (bytes.to - bytes.from);
        const toRow = (value: number) => (value - bytes.from) * scale;
        const source = this.columns.source(axis, range, width, { small: SMALLEST_BAND / scale, below: bytes.from });
        const step = (range.to - range.from) / width;
        this.source = source;
        this.raster.clear(width, height);
        for (let x = 0; x < width; x++) {
            const from = range.from + x * step;
            this.raster.column(x, source.column(from, from + step), palette, toRow, source.isExact);
        }
    }

    private columnAt(geometry: Geometry, x: number): Column {
        const scale = horizontal(geometry, this.view.range);
        return (this.source as ColumnSource).column(toValue(scale, x), toValue(scale, x + 1));
    }

    private point(event: MouseEvent, x: number, y: number): void {
        if (this.source === null || this.view.hovered === null) {
            return;
        }
        const geometry = this.geometry();
        const column = this.columnAt(geometry, x);
        const band = y < geometry.plotTop ? -1 : bandAt(column, toValue(vertical(geometry, this.view.bytes), y));
        const moment = momentAt(this.view, this.view.hovered);
        tooltip.show(event, [...this.rangeLines(geometry, y), ...bandLines(this.picture, column, band, moment), momentPlace(moment), momentTotals(moment)]);
    }

    /** The range that is pointed at, which may be too narrow to hold its name. */
    private rangeLines(geometry: Geometry, y: number): string[] {
        const { annotations } = this.picture;
        const range = annotations[annotationAt(annotations, this.scene.rows, geometry, y, this.view.hovered ?? 0)];
        return range === undefined ? [] : [`range ${range.name}: ${counted(range.to - range.from, "event")}`];
    }

    /** After a click on a single allocation: where it was made. */
    private showStack(event: MouseEvent): void {
        const geometry = this.geometry();
        const { x, y } = this.surface.at(event);
        this.pinnedStack.hidden = true;
        if (this.source?.isExact !== true || this.view.pinned === null || y > geometry.plotBottom || x < geometry.left) {
            return;
        }
        const column = this.columnAt(geometry, x);
        const band = bandAt(column, toValue(vertical(geometry, this.view.bytes), y));
        const allocation = band < 0 ? -1 : column.allocation[band];
        if (allocation >= 0) {
            const lines = bandLines(this.picture, column, band, momentAt(this.view, this.view.pinned));
            this.pinnedStack.textContent = allocationText(this.picture, lines, allocation);
            this.pinnedStack.hidden = false;
        }
    }

    private report(moment: Moment, isPeak: boolean): void {
        const largest = moment.bySite.indexOf(Math.max(...moment.bySite));
        const name = this.picture.sites[largest]?.label ?? "";
        const text = `${isPeak ? "Peak" : "Cursor"}: ${momentPlace(moment)}. ${momentTotals(moment)}. Largest: ${name.slice(0, 200)}, ${formatBytes(moment.bySite[largest] ?? 0)}.`;
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

/** What shades of one colour mean, where a finding has several lines. */
function shadeNote(sites: PictureSite[]): string {
    const owners = sites.flatMap(({ finding }) => (finding === null ? [] : [finding]));
    return new Set(owners).size < owners.length ? "Shades of one strong colour are lines of one finding. " : "";
}
