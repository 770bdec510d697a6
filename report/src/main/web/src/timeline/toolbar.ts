/** The buttons above the timeline: what part of the recording is shown. */
import { nearestRun } from "../data/nearest";
import type { Picture } from "../data/picture";
import { append, button, choice, element } from "../shared/dom";
import type { AxisKind } from "./axis";
import type { TimelineView } from "./view";

const AXES: [AxisKind, string][] = [["events", "Events"], ["time", "Time"]];
/** Events that the view is narrowed to for single blocks: half of what the page has around a place, so that one can pan. */
const MOST_DRAWN_BY_BLOCKS = 1000;

export class TimelineToolbar {
    readonly root = element("div", "toolbar");
    private readonly blocks = button("Show single blocks", () => this.toBlocks(), "Go to the nearest events of which this page has every block");
    private readonly axes: HTMLElement;
    private readonly picture: Picture;

    /** A toolbar with something at its end; {@code pixels} says how many there are across. */
    constructor(
        private readonly view: TimelineView,
        private readonly pixels: () => number,
        last: HTMLElement | null,
    ) {
        this.picture = view.picture;
        this.axes = choice("Horizontal axis", AXES, "events", (kind) => view.use(kind));
        if (view.axes.time !== null) {
            this.root.append(this.axes);
        }
        append(this.root, [
            button("+", () => this.zoom(0.5), "Zoom in"),
            button("−", () => this.zoom(2), "Zoom out"),
            button("Reset zoom", () => view.reset(), "Show the whole recording (Home)"),
            button("Fit height", () => this.fitHeight(), "Scale the bytes in view to the full height"),
            button("Zoom to peak", () => this.toPeak(), "Show the events around the peak"),
            this.blocks,
            last,
        ]);
    }

    /** Marks the button of an axis. */
    choose(axis: AxisKind): void {
        [...this.axes.children].forEach((button, i) => button.setAttribute("aria-pressed", String(AXES[i][0] === axis)));
    }

    /** Says whether single blocks are drawn. */
    set hasBlocks(hasBlocks: boolean) {
        this.blocks.disabled = hasBlocks;
    }

    private zoom(factor: number): void {
        this.view.zoom((this.view.range.from + this.view.range.to) / 2, factor);
    }

    /** Shows the heights between the lowest and the highest live bytes in view. */
    private fitHeight(): void {
        const { lowest, highest } = this.view.extremes();
        const margin = Math.max((highest - lowest) * 0.08, 1024);
        this.view.showBytes({ from: Math.max(lowest - margin, 0), to: highest + margin });
    }

    private toPeak(): void {
        const { peak, events } = this.picture;
        this.view.set({ pinned: peak });
        this.view.showAround(peak, Math.min(Math.max(events / 100, 80), 400));
    }

    /** Shows the nearest events that can be drawn block by block. */
    private toBlocks(): void {
        const { axis, range, pinned } = this.view;
        const events = Math.min(this.pixels(), MOST_DRAWN_BY_BLOCKS);
        const middle = nearestRun(this.picture, pinned ?? axis.toEvent((range.from + range.to) / 2), events);
        if (middle !== null) {
            this.view.showAround(middle, events);
        }
    }
}
