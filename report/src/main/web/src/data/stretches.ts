/*
 * Stretches of a long recording of which the page has every block. They are packed one by one: a stretch is read when it is looked at, and forgotten when
 * others were looked at since.
 */
import type { Allocations } from "./allocations";
import { lastAtOrBelow } from "./search";

/** So many are kept in memory: those in view, those beside them, and those of two moments that are compared. */
const MOST_READ = 10;

/** Events from one until another, with what lived at some of them and at none of the moments. */
export interface Stretch {
    from: number;
    to: number;
    read(): Promise<Allocations>;
}

export class Stretches {
    /** By their events. */
    readonly all: Stretch[];
    private readonly begins: number[];
    /** In the order of their last use. */
    private readonly read = new Map<Stretch, Allocations>();
    private readonly reading = new Set<Stretch>();
    private readonly listeners: ((read: Allocations[]) => void)[] = [];
    /** The events whose stretches are not forgotten. */
    private held: () => number[] = () => [];

    constructor(all: Stretch[]) {
        this.all = [...all].sort((a, b) => a.from - b.from);
        this.begins = this.all.map(({ from }) => from);
    }

    /** Calls back with what was read, after every change of it. */
    onRead(listener: (read: Allocations[]) => void): void {
        this.listeners.push(listener);
    }

    /** Keeps the stretches of some events in memory. */
    hold(events: () => number[]): void {
        this.held = events;
    }

    /** The stretch of an event; null where the page has none. */
    at(event: number): Stretch | null {
        const stretch = this.all[lastAtOrBelow(this.begins, event)];
        return stretch !== undefined && event < stretch.to ? stretch : null;
    }

    /** The same where it was read. */
    readAt(event: number): Stretch | null {
        const stretch = this.at(event);
        return stretch !== null && this.read.has(stretch) ? stretch : null;
    }

    /** The last event of the stretch before an event, and the first of the one after it. */
    around(event: number): number[] {
        const index = lastAtOrBelow(this.begins, event);
        const before = this.all[index];
        const after = this.all[index + 1];
        return [...(before === undefined ? [] : [Math.min(before.to - 1, event)]), ...(after === undefined ? [] : [after.from])];
    }

    /** Reads what lies between two events, unless it was read. */
    want(from: number, to: number): void {
        const first = Math.max(lastAtOrBelow(this.begins, from), 0);
        for (let i = first; i < this.all.length && this.all[i].from < to; i++) {
            if (this.all[i].to > from) {
                this.use(this.all[i]);
            }
        }
    }

    private use(stretch: Stretch): void {
        const known = this.read.get(stretch);
        if (known !== undefined) {
            this.read.delete(stretch);
            this.read.set(stretch, known);
        } else if (!this.reading.has(stretch)) {
            this.reading.add(stretch);
            this.sayBusy();
            void stretch.read().then((allocations) => this.take(stretch, allocations));
        }
    }

    private take(stretch: Stretch, allocations: Allocations): void {
        this.reading.delete(stretch);
        this.read.set(stretch, allocations);
        const held = new Set(this.held().map((event) => this.at(event)));
        const idle = [...this.read.keys()].filter((one) => one !== stretch && !held.has(one));
        idle.slice(0, Math.max(this.read.size - MOST_READ, 0)).forEach((one) => this.read.delete(one));
        this.listeners.forEach((listener) => listener([...this.read.values()]));
        this.sayBusy();
    }

    /** Tells whoever waits for the page, such as a test, that it is not done yet. */
    private sayBusy(): void {
        document.documentElement.toggleAttribute("data-reading", this.reading.size > 0);
    }
}
