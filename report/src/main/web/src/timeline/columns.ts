/*
 * What stands above one column of pixels: bands from the bottom up. A column comes from the pyramid (one band a site, at the
 * highest moment within the column) or, when few events are in view, from single allocations (one band each).
 */
import type { Picture } from "../data/picture";
import { chooseLevel, highestBucket, stackedSums, type Level } from "../data/pyramid";
import { lastAtOrBelow } from "../data/search";
import type { Range } from "../shared/scale";
import type { Axis } from "./axis";
import type { Column } from "./column";
import { ExactStack, type Sight } from "./exact";

export interface ColumnSource {
    /** Whether bands are single allocations. */
    isExact: boolean;
    column(from: number, to: number): Column;
}

/** Finds the columns for a view. Keeps the sums of every level it has used. */
export class Columns {
    private readonly sums = new Map<number, Float64Array>();
    private column: Column = emptyColumn(0);

    constructor(private readonly picture: Picture) {}

    source(axis: Axis, range: Range, pixels: number, sight: Sight): ColumnSource {
        const from = axis.toEvent(range.from);
        const to = axis.toEvent(range.to);
        const exact = to - from <= pixels ? ExactStack.of(this.picture, from, to, sight) : null;
        if (exact !== null) {
            this.reserve(exact.widest + 1);
            return { isExact: true, column: (left, right) => exact.fill(axis.toEvent((left + right) / 2), this.column) };
        }
        const index = chooseLevel(this.picture.levels, from, to, pixels);
        this.reserve(this.picture.order.length);
        return this.ofLevel(index, axis);
    }

    private reserve(bands: number): void {
        if (this.column.top.length < bands) {
            this.column = emptyColumn(bands);
        }
    }

    private ofLevel(index: number, axis: Axis): ColumnSource {
        const level = this.picture.levels[index];
        const edges = axis.edges(level);
        const sums = this.sumsOf(index, level);
        const column = (left: number, right: number) => {
            const first = bucketAt(edges, left, level);
            const end = bucketAt(edges, right, level);
            const last = Math.max(first, edges[end] >= right ? end - 1 : end);
            return this.fill(level, sums, highestBucket(level.live, first, last));
        };
        return { isExact: false, column };
    }

    private sumsOf(index: number, level: Level): Float64Array {
        let sums = this.sums.get(index);
        if (sums === undefined) {
            sums = stackedSums(level, this.picture.order);
            this.sums.set(index, sums);
        }
        return sums;
    }

    private fill(source: object, sums: Float64Array, bucket: number): Column {
        const { order } = this.picture;
        const column = this.column;
        if (column.key === bucket && column.source === source) {
            return column;
        }
        column.source = source;
        column.key = bucket;
        column.count = order.length;
        for (let k = 0; k < order.length; k++) {
            column.top[k] = sums[bucket * order.length + k];
            column.site[k] = order[k];
            column.allocation[k] = -1;
        }
        return column;
    }
}

function bucketAt(edges: ArrayLike<number>, position: number, level: Level): number {
    return Math.min(Math.max(lastAtOrBelow(edges, position), 0), level.buckets - 1);
}

function emptyColumn(bands: number): Column {
    return { source: null, key: -1, count: 0, top: new Float64Array(bands), site: new Int32Array(bands), allocation: new Int32Array(bands) };
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
