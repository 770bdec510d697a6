/** Turns what is done on the timeline's canvas into changes of the view. */
import type { Surface } from "../shared/canvas";
import { toValue } from "../shared/scale";
import { horizontal, vertical, type Geometry } from "./geometry";
import { TimelineKeys } from "./keys";
import { TimelinePointer, type Pointed } from "./pointer";
import type { TimelineView } from "./view";

const WHEEL = 0.0016;

export class TimelineInput {
    /** Whether the pointer has moved here since the page was last scrolled: a page that scrolls by must not zoom. */
    private isArmed = false;

    constructor(
        private readonly surface: Surface,
        private readonly view: TimelineView,
        private readonly geometry: () => Geometry,
        pointed: Pointed,
    ) {
        const { canvas } = surface;
        new TimelinePointer(surface, view, geometry, pointed);
        const keys = new TimelineKeys(view, geometry, pointed);
        canvas.addEventListener("pointermove", () => (this.isArmed = true));
        canvas.addEventListener("dblclick", () => view.reset());
        canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        canvas.addEventListener("keydown", (event) => keys.press(event));
        window.addEventListener("scroll", () => (this.isArmed = false), { passive: true });
    }

    private wheel(event: WheelEvent): void {
        const isWanted = this.isArmed || event.ctrlKey || document.activeElement === this.surface.canvas;
        if (!isWanted || (event.deltaY > 0 && this.view.isWhole && this.view.isAllBytes)) {
            return;
        }
        event.preventDefault();
        const { x, y } = this.surface.at(event);
        if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.shiftKey) {
            this.view.pan(event.deltaX / 800);
        } else if (event.shiftKey) {
            const bytes = toValue(vertical(this.geometry(), this.view.bytes), y);
            this.view.zoomBytes(bytes, Math.exp((event.deltaY || event.deltaX) * WHEEL));
        } else {
            this.view.zoom(toValue(horizontal(this.geometry(), this.view.range), x), Math.exp(event.deltaY * WHEEL));
        }
    }
}
