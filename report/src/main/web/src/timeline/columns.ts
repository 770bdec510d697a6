/*
 * What stands above one column of pixels: bands from the bottom up. A column comes from the pyramid (one band a site, at the
 * highest moment within the column) or, where few events are in view and all blocks of them are known, from single allocations (one band each).
 */
import { isKnownThroughout } from "../data/kept";
import type { Picture } from "../data/picture";
import { chooseLevel, highestBucket, stackedSums, type Level } from "../data/pyramid";
import { lastAtOrBelow } from "../data/search";
import type { Range } from "../shared/scale";
import type { Axis } from "./axis";
import type { Column } from "./column";
import { ExactStack, type Sight } from "./exact";

export interface ColumnSource {
    /** The single allocations that bands are; null where they are sites. */
    exact: ExactStack | null;
    /** The most events that a column stands for. */
    eventsOfColumn: number;
    column(from: number, to: number): Column;
    /** The event that is drawn next to that of an event, in a direction (1 or -1). */
    neighbour(event: number, direction: number): number;
}

/** Finds the columns for a view. Keeps the sums of every level it has used. */
export class Columns {
    private readonly sums = new Map<number, Float64Array>();
    private column: Column = emptyColumn(0);

    constructor(private readonly picture: Picture) {}

    source(axis: Axis, range: Range, pixels: number, sight: Sight): ColumnSource {
        const from = axis.toEvent(range.from);
        const to = axis.toEvent(range.to);
        const isNarrow = to - from <= pixels;
        if (isNarrow) {
            // What lies beside it, too: a view moves.
            this.picture.stretches.want(2 * from - to, 2 * to - from);
        }
        const exact = isNarrow && isKnownThroughout(this.picture, from, to) ? ExactStack.of(this.picture, from, to, sight) : null;
        if (exact !== null) {
            return this.ofBlocks(exact, axis);
        }
        const index = chooseLevel(this.picture.levels, from, to, pixels);
        this.reserve(this.picture.order.length);
        return this.ofLevel(index, axis, (to - from) / pixels);
    }

    private ofBlocks(exact: ExactStack, axis: Axis): ColumnSource {
        const last = this.picture.events - 1;
        this.reserve(exact.widest);
        return {
            exact,
            eventsOfColumn: 1,
            column: (left, right) => exact.fill(Math.min(Math.floor(axis.toEvent((left + right) / 2)), last), this.column),
            neighbour: (event, direction) => Math.min(Math.max(event + direction, 0), last),
        };
    }

    private reserve(bands: number): void {
        if (this.column.top.length < bands) {
            this.column = emptyColumn(bands);
        }
    }

    private ofLevel(index: number, axis: Axis, eventsOfPixel: number): ColumnSource {
        const level = this.picture.levels[index];
        const edges = axis.edges(level);
        const sums = this.sumsOf(index, level);
        const column = (left: number, right: number) => {
            const [first, last] = bucketsFrom(edges, left, right, level);
            return this.fill(level, sums, highestBucket(level.live, first, last));
        };
        const neighbour = (event: number, direction: number) => {
            const bucket = bucketAt(level.firstEvent, event, level) + direction;
            return level.highest[Math.min(Math.max(bucket, 0), level.buckets - 1)];
        };
        const eventsOfBucket = Math.ceil(this.picture.events / level.buckets);
        return { exact: null, eventsOfColumn: Math.ceil(eventsOfPixel / eventsOfBucket) * eventsOfBucket, column, neighbour };
    }

    private sumsOf(index: number, level: Level): Float64Array {
        let sums = this.sums.get(index);
        if (sums === undefined) {
            sums = stackedSums(level, this.picture.order);
            this.sums.set(index, sums);
        }
        return sums;
    }

    private fill(level: Level, sums: Float64Array, bucket: number): Column {
        const { order } = this.picture;
        const column = this.column;
        if (column.key === bucket && column.source === level) {
            return column;
        }
        column.source = level;
        column.key = bucket;
        column.event = level.highest[bucket];
        column.count = order.length;
        for (let k = 0; k < order.length; k++) {
            column.top[k] = sums[bucket * order.length + k];
            column.site[k] = order[k];
            column.allocation[k] = -1;
        }
        return column;
    }
}

/** The first and the last bucket that begin between two positions, so that each is of one column; where none does, the one that is there. */
function bucketsFrom(edges: ArrayLike<number>, left: number, right: number, level: Level): [number, number] {
    const there = bucketAt(edges, left, level);
    const end = bucketAt(edges, right, level);
    const last = Math.max(there, edges[end] >= right ? end - 1 : end);
    return [edges[there] < left ? Math.min(there + 1, last) : there, last];
}

function bucketAt(edges: ArrayLike<number>, position: number, level: Level): number {
    return Math.min(Math.max(lastAtOrBelow(edges, position), 0), level.buckets - 1);
}

function emptyColumn(bands: number): Column {
    return { source: null, key: -1, event: -1, count: 0, top: new Float64Array(bands), site: new Int32Array(bands), allocation: new Int32Array(bands) };
}

/** The band of a column at a height in bytes; -1 above all. */
export function bandAt(column: Column, bytes: number): number {
    for (let k = 0; k < column.count; k++) {
        if (bytes < column.top[k]) {
            return k;
        }
    }
    return -1;
}
