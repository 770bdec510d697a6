/*
 * The events around the chosen moment, one by one, as the recording has them. Choosing one moves the moment. The list ends where the page no longer has every
 * block, and says so.
 */
import { nameOf } from "../data/allocations";
import { recordedEvents } from "../data/events";
import { isKnownThroughout, keptShare } from "../data/kept";
import { runAround, type Run } from "../data/run";
import type { Picture } from "../data/picture";
import type { ChosenMoment } from "../moment/chosenMoment";
import type { Cursor } from "../moment/momentBar";
import { element, section } from "../shared/dom";
import { counted, formatCount, formatPercent } from "../shared/format";
import { MORE_DETAIL } from "../shared/moreDetail";
import { eventDetails, eventRow, waitingRow } from "./eventText";
import { VirtualList } from "./virtualList";

/** Events on either side of the moment: browsers scroll through 16 million pixels at most. */
const MOST_BESIDE = 100_000;

export class EventList {
    readonly root: HTMLElement;
    private readonly picture: Picture;
    private readonly note = element("p", "note");
    private readonly details = element("div", "event-details");
    private readonly list = new VirtualList("Events", (from, to) => this.rows(from, to), (index) => this.choose(index));
    private readonly both = element("div", "events-beside", this.list.root, this.details);
    /** The events that are listed; null where the page has only the blocks of the moment. */
    private run: Run | null = null;
    private readonly share: number;

    constructor(
        private readonly moment: ChosenMoment,
        private readonly cursor: Cursor,
    ) {
        this.picture = moment.picture;
        this.share = keptShare(this.picture);
        const about = "Every event of the recording around the chosen moment. A click or an arrow key moves the moment; its block is outlined in the timeline.";
        this.root = section("events", "Events", about, this.note, this.both);
        moment.onChange(() => this.update());
        this.picture.stretches.onRead(() => this.list.redraw());
        this.update();
    }

    private update(): void {
        const { event } = this.moment;
        if (this.run === null || event < this.run.from - 1 || event >= this.run.to || this.isNearEdge(event)) {
            this.run = this.listed(event);
        }
        this.note.textContent = this.noteText();
        this.both.hidden = this.run === null;
        if (this.run !== null) {
            this.list.show(this.run.to - this.run.from, event - this.run.from);
            this.describe(event);
        }
    }

    /** Whether the list was cut there, and the reader comes near. */
    private isNearEdge(event: number): boolean {
        const run = this.run as Run;
        const isCut = run.to - run.from >= MOST_BESIDE;
        return isCut && Math.min(event - run.from, run.to - event) < MOST_BESIDE / 4;
    }

    /** The events that the page can tell: of the first moment of a run it has the blocks, but not what changed them. */
    private listed(event: number): Run | null {
        const run = runAround(this.picture, event, MOST_BESIDE);
        if (run === null) {
            return null;
        }
        return { from: this.picture.stretches.at(run.from) === null ? run.from + 1 : run.from, to: run.to };
    }

    private noteText(): string {
        if (this.run === null) {
            return `The page has the blocks of this moment, but not the events around it. "Show single blocks" goes to the nearest that it has; ${MORE_DETAIL}.`;
        }
        const { from, to } = this.run;
        const listed = `${counted(to - from, "event")}, ${formatCount(from)} to ${formatCount(to - 1)}, of ${formatCount(this.picture.events)}.`;
        return this.share < 1 ? `${listed} The page has ${formatPercent(this.share)} of all events; ${MORE_DETAIL}.` : listed;
    }

    private rows(from: number, to: number): HTMLElement[] {
        const first = (this.run?.from ?? 0) + from;
        const last = (this.run?.from ?? 0) + to;
        if (!isKnownThroughout(this.picture, first, last)) {
            this.picture.stretches.want(first, last);
            return Array.from({ length: to - from }, (_, i) => waitingRow(first + i));
        }
        return recordedEvents(this.picture, first, last).map((event) => eventRow(this.picture, event));
    }

    private choose(index: number): void {
        const event = (this.run?.from ?? 0) + index;
        if (this.moment.follows) {
            this.cursor.pin(event);
        }
        this.moment.choose(event);
        this.chooseBlockOf(event);
    }

    private chooseBlockOf(event: number): void {
        const { allocations } = this.picture;
        const row = isKnownThroughout(this.picture, event, event + 1) ? recordedEvents(this.picture, event, event + 1)[0].row : -1;
        if (row >= 0) {
            this.moment.chooseBlock(nameOf(allocations, row));
        }
    }

    /** Tells of the chosen event; of nothing where it is the one before the first that is listed. */
    private describe(event: number): void {
        if (event < (this.run?.from ?? 0)) {
            this.details.replaceChildren();
            return;
        }
        this.details.replaceChildren(...eventDetails(this.picture, this.cursor.name(event), recordedEvents(this.picture, event, event + 1)[0]));
    }
}
