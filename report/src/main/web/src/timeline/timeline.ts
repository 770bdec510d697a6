/*
 * Live bytes over events or time, stacked by site. Bands are painted by Bands, everything else by paint.ts; a change of the view asks for one
 * frame, however many changes there are.
 */
import type { Finding, StepSummary } from "report";
import { BlockPanel } from "../block/blockPanel";
import type { ChosenMoment } from "../moment/chosenMoment";
import type { Picture } from "../data/picture";
import type { PageState } from "../state";
import { Surface } from "../shared/canvas";
import { attributes, element, section } from "../shared/dom";
import { onThemeChange, theme } from "../shared/theme";
import { Bands } from "./bands";
import { BlockPointer } from "./blockPointer";
import { changePoints } from "./changePoints";
import { annotationRows, FEW_ROWS, geometryFor, type Geometry } from "./geometry";
import { TimelineInput } from "./input";
import { lanesOf, rangesBox } from "./lanes";
import { Legend } from "./legend";
import { momentAt, momentPlace, momentTotals, type Moment } from "./moment";
import { paintBackground, paintForeground } from "./paint";
import { Pen, type Scene } from "./pen";
import { grainText, momentText, shadeNote, summaryText } from "./timelineText";
import { TimelineToolbar } from "./toolbar";
import { TimelineView } from "./view";

export class Timeline {
    readonly root: HTMLElement;
    private readonly picture: Picture;
    private readonly view: TimelineView;
    private readonly bands: Bands;
    private readonly surface: Surface;
    private readonly toolbar: TimelineToolbar;
    private readonly legend: Legend;
    private readonly scene: Scene;
    private readonly blocks: BlockPointer;
    private readonly status = element("p", "status");
    private readonly grain = element("p", "grain");
    private lastPinned: number | null = null;

    constructor(
        private readonly moment: ChosenMoment,
        steps: StepSummary,
        findings: (Finding | null)[],
        owners: number[],
        private readonly moved: () => void,
    ) {
        const picture = (this.picture = moment.picture);
        this.view = new TimelineView(picture, () => this.changed());
        this.bands = new Bands(picture, this.view, () => this.surface, () => this.geometry());
        this.scene = { view: this.view, picture, steps, rows: annotationRows(picture.annotations, FEW_ROWS), changes: changePoints(picture, findings, owners) };
        this.blocks = new BlockPointer(picture, this.scene, this.bands, () => this.geometry(), moment);
        this.surface = new Surface(summaryText(picture, this.view), (width) => this.geometry(width).height, () => this.draw());
        this.legend = new Legend(this.view, (at, heading) => this.report(at, heading));
        this.toolbar = new TimelineToolbar(this.view, () => this.bands.pixels, rangesBox(this.scene, () => this.surface.redraw()));
        this.root = this.build();
        this.listen();
    }

    private listen(): void {
        const { blocks, bands, moment } = this;
        onThemeChange(() => this.legend.build());
        new TimelineInput(this.surface, this.view, () => this.geometry(), {
            over: (event, x, y) => blocks.over(event, x, y),
            out: () => blocks.out(),
            pick: (x, y) => blocks.pick(x, y),
            release: () => moment.chooseBlock(null),
            drawn: (position) => bands.columnAt(position).event,
            neighbour: (event, direction) => bands.neighbour(event, direction),
        });
        moment.onChange(() => this.view.set({ mark: moment.mark }));
        moment.onBlock(() => this.changed());
        this.picture.stretches.onRead(() => this.surface.redraw());
    }

    /** Fades all sites but those of a finding. */
    emphasise(finding: number): void {
        const sites = this.picture.sites.flatMap((site, index) => (site.finding === finding ? [index] : []));
        this.view.set({ emphasised: new Set(sites) });
    }

    /** What is shown, for the page's address. */
    get state(): Omit<PageState, "device"> {
        return { ...this.view.state, block: this.moment.block };
    }

    restore(state: PageState): void {
        this.view.restore(state);
        this.toolbar.choose(state.axis);
        this.moment.chooseBlock(state.block);
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

    /** What was live and reserved after an event, in words. */
    eventFigures(event: number): string {
        return momentTotals(momentAt(this.view, event));
    }

    private changed(): void {
        const { pinned } = this.view;
        const isMoved = pinned !== this.lastPinned;
        this.lastPinned = pinned;
        if (isMoved && pinned !== null && this.moment.follows) {
            this.moment.choose(pinned);
        }
        this.surface.redraw();
        this.moved();
    }

    private build(): HTMLElement {
        attributes(this.status, { "aria-live": "polite" });
        const plot = element("div", "plot", this.surface.canvas, this.grain, this.status, new BlockPanel(this.moment).root);
        const note =
            `Live bytes by line of code; dashed: bytes reserved by the allocator. ${shadeNote(this.picture.sites)}Drag to zoom in on a range, then drag to pan; ` +
            "the wheel zooms, with Shift vertically. A click sets the cursor, and chooses the block there. Keys: + − ← → ↑ ↓, Enter, Esc, Home.";
        return section("timeline", "Timeline", note, this.toolbar.root, element("div", "with-legend", plot, this.legend.root));
    }

    private geometry(width: number = this.surface.width): Geometry {
        return geometryFor(width, lanesOf(this.scene));
    }

    private draw(): void {
        const pen = new Pen(this.surface, this.geometry(), this.scene, theme());
        paintBackground(pen);
        this.bands.draw(pen);
        paintForeground(pen, this.blocks.outlines);
        this.grain.textContent = grainText(this.bands, this.view);
        this.toolbar.hasBlocks = this.bands.exact !== null;
        this.legend.update();
    }

    private report(moment: Moment, heading: string): void {
        const text = momentText(this.picture, moment, heading);
        if (this.view.hovered === null && this.status.textContent !== text) {
            this.status.textContent = text;
        }
    }
}
