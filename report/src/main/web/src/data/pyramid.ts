/*
 * A recording at several resolutions. Each level cuts the events into buckets; a bucket knows the highest and lowest live bytes in
 * it, after which event they were highest, and what every site held then. A view takes the coarsest level that still has a bucket for every pixel, so
 * the cost of drawing follows the width of the window and not the length of the recording.
 */
import { floats, ints } from "./decode";
import { lastAtOrBelow } from "./search";
import type { LevelJson } from "./schema";

export interface Level {
    buckets: number;
    /** Event at which each bucket begins, and one entry more: where the last ends. */
    firstEvent: Int32Array;
    /** The event of each bucket after which most was live. */
    highest: Int32Array;
    /** What was live then. */
    live: Float64Array;
    liveMin: Float64Array;
    reserved: Float64Array;
    /** What each site held then, by the index that sites have in the picture. */
    bySite: Float64Array[];
}

export function decodeLevel(level: LevelJson): Level {
    const firstEvent = ints(level.firstEvent);
    return {
        buckets: level.buckets,
        firstEvent,
        highest: Int32Array.from(level.highest, (events, bucket) => firstEvent[bucket] + events),
        live: floats(level.live),
        liveMin: floats(level.liveMin),
        reserved: floats(level.reserved),
        bySite: level.bySite.map(floats),
    };
}

/** The index of the coarsest level that has at least one bucket a pixel between two events; the finest where none has. */
export function chooseLevel(levels: { firstEvent: ArrayLike<number> }[], from: number, to: number, pixels: number): number {
    for (let i = 0; i < levels.length - 1; i++) {
        const first = lastAtOrBelow(levels[i].firstEvent, from);
        const last = lastAtOrBelow(levels[i].firstEvent, to);
        if (last - first >= pixels) {
            return i;
        }
    }
    return Math.max(levels.length - 1, 0);
}

/**
 * The upper edges of all sites' bands, in the order given, bottom first. The sums of one bucket lie together:
 * the edge above {@code order[k]} in bucket i is at {@code i * order.length + k}.
 */
export function stackedSums(level: { buckets: number; bySite: Float64Array[] }, order: number[]): Float64Array {
    const sums = new Float64Array(level.buckets * order.length);
    for (let i = 0; i < level.buckets; i++) {
        let sum = 0;
        for (let k = 0; k < order.length; k++) {
            sum += level.bySite[order[k]][i];
            sums[i * order.length + k] = sum;
        }
    }
    return sums;
}

/** The bucket with the most live bytes among buckets first..last. */
export function highestBucket(live: Float64Array, first: number, last: number): number {
    let highest = first;
    for (let i = first + 1; i <= last; i++) {
        if (live[i] > live[highest]) {
            highest = i;
        }
    }
    return highest;
}
