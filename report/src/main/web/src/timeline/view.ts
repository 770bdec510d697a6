import type { Picture } from "../data/picture";
import { chooseLevel } from "../data/pyramid";
import type { ViewState } from "../state";
import { clampRange, zoomRange, type Range } from "../shared/scale";
import { eventAxis, timeAxis, type Axis, type AxisKind } from "./axis";

/** Room above what is highest. */
const HEADROOM = 1.06;
/** As many buckets find extremes well enough. */
const ENOUGH_BUCKETS = 400;

/** Which part of a recording is looked at, and how. Tells its listener of every change. */
export class TimelineView {
    axis: Axis;
    range: Range;
    /** Bytes from the bottom of the plot to its top: what is in view, from nothing up, unless the reader chose otherwise. */
    bytes: Range;
    private isHeightChosen = false;
    readonly allBytes: Range;
    readonly axes: Record<AxisKind, Axis | null>;
    /** The event that is looked at: the pinned one, else the one under the pointer. */
    pinned: number | null = null;
    hovered: number | null = null;
    /** The event that others are compared with; null where there is none. */
    mark: number | null = null;
    /** The sites that are not faded; null where none is. */
    emphasised: ReadonlySet<number> | null = null;
    /** What is being selected, in positions. */
    selection: Range | null = null;

    constructor(
        readonly picture: Picture,
        private readonly changed: () => void,
    ) {
        this.axes = { events: eventAxis(picture.events), time: timeAxis(picture.clock) };
        this.axis = this.axes.events as Axis;
        this.range = this.axis.whole;
        this.allBytes = { from: 0, to: ceiling(picture) };
        this.bytes = this.allBytes;
    }

    get isWhole(): boolean {
        const { whole } = this.axis;
        return this.range.to - this.range.from >= (whole.to - whole.from) * 0.999999;
    }

    get isAllBytes(): boolean {
        return !this.isHeightChosen;
    }

    /** The event to report on; null where there is none. */
    get event(): number | null {
        return this.hovered ?? this.pinned;
    }

    show(range: Range): void {
        this.range = clampRange(range, this.axis.whole, this.axis.narrowest);
        if (!this.isHeightChosen) {
            this.bytes = { from: 0, to: this.isWhole ? this.allBytes.to : this.extremes().reserved * HEADROOM };
        }
        this.changed();
    }

    /** What is shown, for the page's address. */
    get state(): ViewState {
        const { from, to } = this.range;
        const view = this.isWhole ? null : { from: this.axis.toEvent(from), to: this.axis.toEvent(to) };
        return { axis: this.axis.kind, view, cursor: this.pinned };
    }

    /** Shows what an address names. */
    restore({ axis, view, cursor }: ViewState): void {
        this.use(axis);
        if (cursor !== null) {
            this.set({ pinned: Math.min(cursor, this.picture.events - 1) });
        }
        if (view !== null) {
            this.show({ from: this.axis.fromEvent(view.from), to: this.axis.fromEvent(view.to) });
        }
    }

    /** Shows so many events around one. */
    showAround(event: number, events: number): void {
        this.show({ from: this.axis.fromEvent(event - events / 2), to: this.axis.fromEvent(event + events / 2) });
    }

    /** The lowest and highest live bytes in view, and the highest of all that is drawn. */
    extremes(): { lowest: number; highest: number; reserved: number } {
        const { levels } = this.picture;
        const { from, to } = this.range;
        const level = levels[chooseLevel(levels, this.axis.toEvent(from), this.axis.toEvent(to), ENOUGH_BUCKETS)];
        const edges = this.axis.edges(level);
        let [lowest, highest, reserved] = [Infinity, 1, 1];
        for (let i = 0; i < level.buckets; i++) {
            if (edges[i + 1] > from && edges[i] < to) {
                lowest = Math.min(lowest, level.liveMin[i]);
                highest = Math.max(highest, level.live[i]);
                reserved = Math.max(reserved, level.reserved[i], level.live[i]);
            }
        }
        return { lowest: Math.min(lowest, highest), highest, reserved };
    }

    showBytes(bytes: Range): void {
        this.isHeightChosen = true;
        this.bytes = clampRange(bytes, this.allBytes, Math.min(4096, this.allBytes.to));
        this.changed();
    }

    zoom(around: number, factor: number): void {
        this.show(zoomRange(this.range, around, factor));
    }

    zoomBytes(around: number, factor: number): void {
        this.showBytes(zoomRange(this.bytes, around, factor));
    }

    /** Moves by a part of what is shown. */
    pan(share: number): void {
        this.move((this.range.to - this.range.from) * share);
    }

    move(positions: number): void {
        this.show({ from: this.range.from + positions, to: this.range.to + positions });
    }

    /** Moves up or down, where the height was chosen. */
    moveBytes(bytes: number): void {
        if (!this.isHeightChosen) {
            return;
        }
        this.showBytes({ from: this.bytes.from + bytes, to: this.bytes.to + bytes });
    }

    /** Moves the view after an event that is not in it. */
    reveal(event: number): void {
        const position = this.axis.fromEvent(event);
        if (position < this.range.from || position > this.range.to) {
            const half = (this.range.to - this.range.from) / 2;
            this.show({ from: position - half, to: position + half });
        }
    }

    reset(): void {
        this.isHeightChosen = false;
        this.show(this.axis.whole);
    }

    /** Another axis, with the same events in view. */
    use(kind: AxisKind): void {
        const axis = this.axes[kind];
        if (axis !== null) {
            const from = this.axis.toEvent(this.range.from);
            const to = this.axis.toEvent(this.range.to);
            const wasWhole = this.isWhole;
            this.axis = axis;
            this.show(wasWhole ? axis.whole : { from: axis.fromEvent(from), to: axis.fromEvent(to) });
        }
    }

    set(change: Partial<Pick<TimelineView, "pinned" | "hovered" | "mark" | "emphasised" | "selection">>): void {
        Object.assign(this, change);
        this.changed();
    }
}

/** The height that shows all that is live or reserved; the device's limit too, where that is not far above. */
function ceiling(picture: Picture): number {
    let highest = 1;
    for (const level of picture.levels.slice(0, 1)) {
        level.live.forEach((bytes) => (highest = Math.max(highest, bytes)));
        level.reserved.forEach((bytes) => (highest = Math.max(highest, bytes)));
    }
    const limit = picture.deviceBytes ?? 0;
    return (limit > highest && limit < highest * 2.5 ? limit : highest) * HEADROOM;
}
