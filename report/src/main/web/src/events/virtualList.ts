import { attributes, element } from "../shared/dom";

/** Pixels of a row. */
export const ROW = 22;
/** Rows that are in view at once. */
export const VISIBLE = 16;

/** A list of any length of which only the rows in view are in the document. One of them is chosen. */
export class VirtualList {
    readonly root = attributes(element("div", "virtual-list"), { role: "listbox", tabindex: 0 });
    private readonly spacer = element("div");
    private readonly rows = element("div", "rows");
    private count = 0;
    private chosen = -1;
    private isWaiting = false;
    /** Whether the chosen row is to be scrolled to: what is not in the document yet does not scroll. */
    private isRevealing = false;

    /** A list whose {@code rowsOf} makes rows from one until another, and whose {@code choose} is told which the reader wants. */
    constructor(
        label: string,
        private readonly rowsOf: (from: number, to: number) => HTMLElement[],
        private readonly choose: (index: number) => void,
    ) {
        attributes(this.root, { "aria-label": label });
        this.root.append(this.spacer, this.rows);
        this.root.addEventListener("scroll", () => this.redraw(), { passive: true });
        this.root.addEventListener("keydown", (event) => this.key(event));
        this.rows.addEventListener("click", (event) => this.click(event));
    }

    /** Shows so many rows, with one of them chosen and in view; -1 for none. */
    show(count: number, chosen: number): void {
        this.count = count;
        this.chosen = chosen;
        this.spacer.style.height = `${count * ROW}px`;
        this.root.style.height = `${Math.min(count, VISIBLE) * ROW}px`;
        this.isRevealing = true;
        this.redraw();
    }

    private reveal(): void {
        this.isRevealing = false;
        const top = this.chosen * ROW;
        const { scrollTop } = this.root;
        if (top < scrollTop || top + ROW > scrollTop + VISIBLE * ROW) {
            this.root.scrollTop = top - (Math.floor(VISIBLE / 2) - 1) * ROW;
        }
    }

    /** Makes the rows in view anew, in the next frame. */
    redraw(): void {
        if (!this.isWaiting) {
            this.isWaiting = true;
            requestAnimationFrame(() => this.draw());
        }
    }

    private draw(): void {
        this.isWaiting = false;
        if (this.isRevealing && this.chosen >= 0) {
            this.reveal();
        }
        const from = Math.min(Math.floor(this.root.scrollTop / ROW), Math.max(this.count - VISIBLE, 0));
        const to = Math.min(from + VISIBLE + 1, this.count);
        const rows = this.rowsOf(from, to).map((row, i) => this.option(row, from + i));
        this.rows.style.transform = `translateY(${from * ROW}px)`;
        this.rows.replaceChildren(...rows);
        attributes(this.root, { "aria-activedescendant": this.chosen >= from && this.chosen < to ? this.idOf(this.chosen) : null });
    }

    private option(row: HTMLElement, index: number): HTMLElement {
        const state = { "aria-selected": String(index === this.chosen), "aria-setsize": this.count, "aria-posinset": index + 1 };
        return attributes(row, { role: "option", id: this.idOf(index), "data-index": index, ...state });
    }

    private idOf(index: number): string {
        return `event-${index}`;
    }

    private click(event: MouseEvent): void {
        const row = (event.target as HTMLElement).closest<HTMLElement>("[data-index]");
        if (row !== null) {
            this.choose(Number(row.dataset["index"]));
        }
    }

    private key(event: KeyboardEvent): void {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: VISIBLE, PageUp: -VISIBLE, Home: -this.count, End: this.count }[event.key];
        if (step !== undefined) {
            event.preventDefault();
            this.choose(Math.min(Math.max(this.chosen + step, 0), this.count - 1));
        }
    }
}
