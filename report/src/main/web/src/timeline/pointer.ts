/** What a pointer does on the timeline: drags move it or select a range, a click sets the cursor and chooses what is there. */
import type { Surface } from "../shared/canvas";
import { toValue, type Scale } from "../shared/scale";
import { horizontal, vertical, type Geometry } from "./geometry";
import type { TimelineView } from "./view";

const CLICK = 4;

type Drag = { kind: "pan" | "select" | "overview"; startX: number; lastX: number; lastY: number; from: number };

/** What the timeline does when it is pointed at. */
export interface Pointed {
    over(event: MouseEvent, x: number, y: number): void;
    out(): void;
    /** What is at a place was clicked. */
    pick(x: number, y: number): void;
    /** Nothing shall be chosen any more. */
    release(): void;
    /** The event that is drawn at a position: of several the one with the most live bytes. */
    drawn(position: number): number;
    /** The event that is drawn next to that of an event, in a direction (1 or -1). */
    neighbour(event: number, direction: number): number;
}

export class TimelinePointer {
    private drag: Drag | null = null;

    constructor(
        private readonly surface: Surface,
        private readonly view: TimelineView,
        private readonly geometry: () => Geometry,
        private readonly pointed: Pointed,
    ) {
        const { canvas } = surface;
        canvas.addEventListener("pointerdown", (event) => this.press(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.release(event));
        canvas.addEventListener("pointercancel", () => this.cancel());
        canvas.addEventListener("pointerleave", () => this.leave());
    }

    private get x(): Scale {
        return horizontal(this.geometry(), this.view.range);
    }

    private get y(): Scale {
        return vertical(this.geometry(), this.view.bytes);
    }

    private press(event: PointerEvent): void {
        const { x, y } = this.surface.at(event);
        if (event.button !== 0) {
            return;
        }
        this.surface.canvas.setPointerCapture(event.pointerId);
        this.drag = { kind: this.dragKind(event, y), startX: x, lastX: x, lastY: y, from: toValue(this.x, x) };
        if (this.drag.kind === "overview") {
            this.centre(x);
        }
    }

    private dragKind(event: PointerEvent, y: number): Drag["kind"] {
        if (y >= this.geometry().overviewTop) {
            return "overview";
        }
        return event.shiftKey || (this.view.isWhole && this.view.isAllBytes) ? "select" : "pan";
    }

    private move(event: PointerEvent): void {
        const { x, y } = this.surface.at(event);
        if (this.drag === null) {
            this.hover(event, x, y);
        } else {
            this.dragTo(this.drag, x, y);
        }
    }

    private dragTo(drag: Drag, x: number, y: number): void {
        if (drag.kind === "overview") {
            this.centre(x);
        } else if (drag.kind === "select") {
            this.view.set({ selection: { from: drag.from, to: this.kept(toValue(this.x, x)) }, hovered: null });
        } else {
            this.view.moveBytes(toValue(this.y, drag.lastY) - toValue(this.y, y));
            this.view.move(toValue(this.x, drag.lastX) - toValue(this.x, x));
        }
        drag.lastX = x;
        drag.lastY = y;
        this.pointed.out();
    }

    private kept(position: number): number {
        const { whole } = this.view.axis;
        return Math.min(Math.max(position, whole.from), whole.to);
    }

    /** Moves what is in view so that its middle is where the overview is pointed at. */
    private centre(x: number): void {
        const { left, right } = this.geometry();
        const { whole } = this.view.axis;
        const middle = toValue({ from: whole.from, to: whole.to, start: left, end: right }, x);
        const half = (this.view.range.to - this.view.range.from) / 2;
        this.view.show({ from: middle - half, to: middle + half });
    }

    private release(event: PointerEvent): void {
        const drag = this.drag;
        this.drag = null;
        const { selection } = this.view;
        const { x, y } = this.surface.at(event);
        if (drag === null || drag.kind === "overview") {
            return;
        }
        this.view.set({ selection: null });
        if (Math.abs(x - drag.startX) < CLICK) {
            this.click(x, y);
        } else if (selection !== null) {
            this.view.show({ from: Math.min(selection.from, selection.to), to: Math.max(selection.from, selection.to) });
        }
    }

    private click(x: number, y: number): void {
        const { left, right } = this.geometry();
        if (x >= left && x <= right) {
            const event = this.pointed.drawn(toValue(this.x, x));
            this.view.set({ pinned: this.view.pinned === event ? null : event });
            this.pointed.pick(x, y);
        }
    }

    private cancel(): void {
        this.drag = null;
        this.view.set({ selection: null });
    }

    private leave(): void {
        this.pointed.out();
        this.view.set({ hovered: null });
    }

    private hover(event: PointerEvent, x: number, y: number): void {
        const { left, right, plotBottom } = this.geometry();
        if (x < left || x > right || y > plotBottom) {
            this.leave();
            return;
        }
        this.view.set({ hovered: this.pointed.drawn(toValue(this.x, x)) });
        this.pointed.over(event, x, y);
    }
}
