/** What keys do on the timeline. */
import type { Geometry } from "./geometry";
import type { Pointed } from "./pointer";
import type { TimelineView } from "./view";

/** Pixels that an arrow moves the cursor, and with Shift. */
const NEAR = 4;
const FAR = 40;

export class TimelineKeys {
    constructor(
        private readonly view: TimelineView,
        private readonly geometry: () => Geometry,
        private readonly pointed: Pointed,
    ) {}

    press(event: KeyboardEvent): void {
        const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : this.actions()[event.key];
        if (action !== undefined) {
            event.preventDefault();
            action(event);
        }
    }

    private actions(): Record<string, (event: KeyboardEvent) => void> {
        return {
            "+": () => this.view.zoom(this.middle(), 0.6),
            "=": () => this.view.zoom(this.middle(), 0.6),
            "-": () => this.view.zoom(this.middle(), 1 / 0.6),
            Home: () => this.view.reset(),
            ArrowLeft: (event) => this.step(-1, event.shiftKey),
            ArrowRight: (event) => this.step(1, event.shiftKey),
            ArrowUp: () => this.view.zoomBytes(this.view.bytes.from, 0.7),
            ArrowDown: () => this.view.zoomBytes(this.view.bytes.from, 1 / 0.7),
            Enter: () => this.view.set({ pinned: this.pointed.drawn(this.middle()) }),
            Escape: () => this.release(),
        };
    }

    private release(): void {
        this.view.set({ pinned: null, selection: null });
        this.pointed.release();
    }

    /** The cursor where it is in view, else the middle. */
    private middle(): number {
        const { range, pinned, axis } = this.view;
        const cursor = pinned === null ? NaN : axis.fromEvent(pinned);
        return cursor >= range.from && cursor <= range.to ? cursor : (range.from + range.to) / 2;
    }

    /** Arrows move the cursor where there is one, else the view. */
    private step(direction: number, isFar: boolean): void {
        const { pinned, range } = this.view;
        if (pinned === null) {
            this.view.pan(direction * (isFar ? 0.5 : 0.1));
            return;
        }
        const { left, right } = this.geometry();
        const pixel = (range.to - range.from) / (right - left);
        const drawn = this.pointed.drawn(this.middle() + direction * pixel * (isFar ? FAR : NEAR));
        const isMoved = (drawn - pinned) * direction > 0;
        this.view.set({ pinned: isMoved ? drawn : this.pointed.neighbour(pinned, direction) });
        this.view.reveal(this.view.pinned ?? 0);
    }
}
