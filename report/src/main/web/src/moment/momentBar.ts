/*
 * Names the moment that the flame graph and the segments show, and goes to others: the peak, the end, failed requests, the next one. Where
 * the page does not store every moment, it says which it shows instead of the wanted one.
 */
import type { Picture } from "../data/picture";
import type { OomMark } from "../data/schema";
import { attributes, button, checkBox, element } from "../shared/dom";
import { capital, counted, formatBytes, formatCount } from "../shared/format";
import type { ChosenMoment } from "./chosenMoment";

/** More failed requests than this are chosen from a list. */
const BUTTONS = 2;

/** What the bar needs of the timeline. */
export interface Cursor {
    /** Puts the cursor at an event. */
    pin(event: number): void;
    /** Where the cursor is; null where there is none. */
    pinned(): number | null;
    /** An event in words: its number, step and time. */
    name(event: number): string;
    /** What was live and reserved after it. */
    figures(event: number): string;
}

export class MomentBar {
    readonly root: HTMLElement;
    private readonly picture: Picture;
    private readonly place = element("strong");
    private readonly figures = element("span");
    private readonly instead = element("span", "instead");
    private readonly markText = element("span", "mark-text");
    private readonly unmark: HTMLButtonElement;
    private readonly targets: [HTMLElement, number][] = [];

    constructor(
        private readonly moment: ChosenMoment,
        private readonly cursor: Cursor,
    ) {
        this.picture = moment.picture;
        this.unmark = attributes(button("×", () => moment.compareWith(null), "Clear A"), { "aria-label": "Clear A" });
        this.root = this.build();
        moment.onChange(() => this.update());
        this.update();
    }

    private build(): HTMLElement {
        const { picture, moment } = this;
        const text = attributes(element("p", "moment-text", this.place, this.figures, this.instead), { role: "status" });
        const follow = checkBox("Follow the cursor", moment.follows, (checked) => this.follow(checked));
        const compare = button("Set A", () => moment.compareWith(moment.event), "Makes this moment A; the flame graph then shows the difference from A");
        const bar = element(
            "div",
            "toolbar",
            attributes(button("‹", () => this.step(-1), "Previous moment"), { "aria-label": "Previous moment" }),
            attributes(button("›", () => this.step(1), "Next moment"), { "aria-label": "Next moment" }),
            this.target("Peak", picture.peak),
            this.target("End", picture.events - 1),
            ...this.failures(),
            follow,
            compare,
            this.markText,
            this.unmark,
        );
        return attributes(element("div", "moment", text, bar), { role: "group", "aria-label": "Chosen moment" });
    }

    /** A button for each failed request, or a list where they are many. */
    private failures(): HTMLElement[] {
        const { oom } = this.picture;
        if (oom.length <= BUTTONS) {
            return oom.map((mark, i) => this.target(oom.length === 1 ? "Failed request" : `Failed request ${i + 1}`, mark.event));
        }
        const options = oom.map((mark, i) => this.option(mark, i));
        const select = attributes(element("select", "", element("option", "", `${counted(oom.length, "failed request")}…`), ...options), { "aria-label": "Failed request" });
        select.addEventListener("change", () => select.value !== "" && this.go(Number(select.value)));
        (select.firstChild as HTMLOptionElement).value = "";
        return [select];
    }

    private option(mark: OomMark, index: number): HTMLElement {
        const option = element("option", "", `${index + 1}: ${formatBytes(mark.requested)} at event ${formatCount(mark.event)}`);
        option.value = String(mark.event);
        return option;
    }

    private target(name: string, event: number): HTMLElement {
        const made = button(name, () => this.go(event));
        this.targets.push([made, event]);
        return made;
    }

    /** Goes to an event, and takes the cursor along. */
    private go(event: number): void {
        if (this.moment.follows && event >= 0) {
            this.cursor.pin(event);
        }
        this.moment.choose(event);
    }

    private step(direction: number): void {
        this.moment.step(direction);
        if (this.moment.follows && this.moment.event >= 0) {
            this.cursor.pin(this.moment.event);
        }
    }

    private follow(follows: boolean): void {
        this.moment.follows = follows;
        const pinned = this.cursor.pinned();
        if (follows && pinned !== null) {
            this.moment.choose(pinned);
        }
    }

    private update(): void {
        const { event, wanted, mark } = this.moment;
        this.place.textContent = capital(this.cursor.name(event));
        this.figures.textContent = this.cursor.figures(event);
        this.instead.textContent = event === wanted ? "" : `nearest to event ${formatCount(wanted)}, of which the page has no blocks`;
        this.markText.textContent = mark === null ? "" : `A is ${this.cursor.name(mark)}`;
        this.unmark.hidden = mark === null;
        this.targets.forEach(([made, at]) => made.setAttribute("aria-pressed", String(at === wanted)));
    }
}
