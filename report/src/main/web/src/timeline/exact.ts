/*
 * Single allocations, for views of few events. Neighbours that live throughout the view and are too small to be told apart become one
 * band, so that the cost of a column follows what can be seen in it.
 */
import { lastAtOrBelow } from "../data/search";
import type { Allocations } from "../data/allocations";
import type { Picture } from "../data/picture";
import type { Column } from "./column";
import { Items, visibleAllocations } from "./items";

/** More bands times changes than this take longer to draw than a frame. */
const AFFORDABLE = 400_000;

/** What can be seen. */
export interface Sight {
    /** Bytes that make a band too thin to be told from its neighbours. */
    small: number;
    /** Bytes below the lower edge of the view. */
    below: number;
}

/** A part of a block's outline: where it lies after some events, in bytes from the bottom. */
export interface OutlinePart {
    from: number;
    to: number;
    bottom: number;
    top: number;
}

export class ExactStack {
    private constructor(
        /** Those that its rows are of. */
        readonly allocations: Allocations,
        private readonly items: Items,
        private readonly first: number,
        private readonly last: number,
        /** Events in view at which any allocation is born or freed. */
        private readonly changes: Int32Array,
    ) {}

    /** The allocations between two events; null where they are too many, or none are known. */
    static of(picture: Picture, from: number, to: number, sight: Sight): ExactStack | null {
        const visible = visibleAllocations(picture, from, to);
        const { allocations } = picture;
        const items = new Items();
        const changes = new Set<number>();
        let highest = 0;
        for (const i of visible) {
            const born = allocations.born[i];
            const died = allocations.died[i];
            highest += allocations.bytes[i];
            const isUnseen = allocations.bytes[i] < sight.small || highest < sight.below;
            if (isUnseen && born <= from && died >= to) {
                items.addSmall(allocations.bytes[i], allocations.site[i], i);
            } else {
                items.add(born, died, allocations.bytes[i], allocations.site[i], i, i);
                addWithin(changes, born, from, to);
                addWithin(changes, died, from, to);
            }
        }
        const isAffordable = items.bytes.length * (changes.size + 1) <= AFFORDABLE;
        return visible.length > 0 && isAffordable ? new ExactStack(allocations, items, Math.floor(from), Math.ceil(to), Int32Array.from(changes).sort()) : null;
    }

    /** The most bands that a column can have. */
    get widest(): number {
        return this.items.bytes.length;
    }

    /** Sets a column to what is live after an event. */
    fill(event: number, column: Column): Column {
        const key = lastAtOrBelow(this.changes, event);
        if (key !== column.key || column.source !== this) {
            this.stack(event, column);
            column.key = key;
            column.source = this;
        }
        column.event = event;
        return column;
    }

    /** The row of the block at a height in bytes within a band of a column. */
    rowAt(column: Column, band: number, bytes: number): number {
        let item = -1;
        for (let live = -1; live < band && item < this.items.rows.length - 1; ) {
            live += this.isLive(++item, column.event) ? 1 : 0;
        }
        const rows = this.items.rows[item];
        let top = band > 0 ? column.top[band - 1] : 0;
        return rows.find((row) => (top += this.allocations.bytes[row]) > bytes) ?? rows[rows.length - 1];
    }

    /** Where a block lies after each event in view that moves it; empty where it is not in view. */
    outline(row: number): OutlinePart[] {
        const item = row < 0 ? -1 : this.items.rows.findIndex((rows) => rows.includes(row));
        if (item < 0) {
            return [];
        }
        const below = this.sum(this.items.rows[item].slice(0, this.items.rows[item].indexOf(row)));
        const bytes = this.allocations.bytes[row];
        const events = [this.first, ...this.changes];
        const parts = events.map((from, i) => ({ from, to: events[i + 1] ?? this.last }));
        return parts
            .filter(({ from }) => this.isLive(item, from))
            .map((part) => ({ ...part, bottom: this.bottomOf(item, part.from) + below }))
            .map((part) => ({ ...part, top: part.bottom + bytes }));
    }

    private isLive(item: number, event: number): boolean {
        return this.items.born[item] <= event && event < this.items.died[item];
    }

    private sum(rows: number[]): number {
        return rows.reduce((sum, row) => sum + this.allocations.bytes[row], 0);
    }

    private bottomOf(item: number, event: number): number {
        let bottom = 0;
        for (let below = 0; below < item; below++) {
            bottom += this.isLive(below, event) ? this.items.bytes[below] : 0;
        }
        return bottom;
    }

    private stack(event: number, column: Column): void {
        const { bytes, site, allocation } = this.items;
        let count = 0;
        let sum = 0;
        for (let i = 0; i < bytes.length; i++) {
            if (this.isLive(i, event)) {
                sum += bytes[i];
                count = push(column, count, sum, site[i], allocation[i]);
            }
        }
        column.count = count;
    }
}

function push(column: Column, at: number, top: number, site: number, allocation: number): number {
    column.top[at] = top;
    column.site[at] = site;
    column.allocation[at] = allocation;
    return at + 1;
}

function addWithin(changes: Set<number>, event: number, from: number, to: number): void {
    if (event > from && event < to) {
        changes.add(event);
    }
}
