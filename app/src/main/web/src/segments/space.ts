import type { Picture, Segment } from "../data/picture";
import type { OomMark } from "../data/schema";

export const FREE = 0;
export const PENDING = 2;

/** What a segment has in use and free. */
export interface SegmentUse {
    live: number;
    pending: number;
    free: number;
    largestHole: number;
    holes: number;
}

export function useOf(segment: Segment): SegmentUse {
    const use = { live: 0, pending: 0, free: 0, largestHole: 0, holes: 0 };
    const { state, bytes } = segment.blocks;
    for (let i = 0; i < state.length; i++) {
        if (state[i] === FREE) {
            use.free += bytes[i];
            use.holes++;
            use.largestHole = Math.max(use.largestHole, bytes[i]);
        } else if (state[i] === PENDING) {
            use.pending += bytes[i];
        } else {
            use.live += bytes[i];
        }
    }
    return use;
}

/** A failed request beside what is free at the end of the recording. */
export interface Failure {
    mark: OomMark;
    free: number;
    holes: number;
    largestHole: number;
}

/** The last failed request; null where none failed. */
export function lastFailure(picture: Pick<Picture, "oom" | "segments">): Failure | null {
    const mark = picture.oom[picture.oom.length - 1];
    if (mark === undefined) {
        return null;
    }
    const uses = picture.segments.map(useOf);
    return {
        mark,
        free: uses.reduce((sum, use) => sum + use.free, 0),
        holes: uses.reduce((sum, use) => sum + use.holes, 0),
        largestHole: uses.reduce((most, use) => Math.max(most, use.largestHole), 0),
    };
}

export type SegmentOrder = "size" | "address" | "free";

/** The indexes of segments in an order; addresses are given in order. */
export function sortedSegments(segments: Segment[], order: SegmentOrder): number[] {
    const indexes = segments.map((_, i) => i);
    if (order === "address") {
        return indexes;
    }
    const value = segments.map((segment) => (order === "size" ? segment.bytes : useOf(segment).free));
    return indexes.sort((a, b) => value[b] - value[a] || a - b);
}

/** What a segment is, in words. */
export function segmentNote(segment: Segment): string {
    const notes = [`${segment.pool} pool`];
    if (segment.privatePool !== null) {
        notes.push(`private pool ${segment.privatePool}`);
    }
    if (segment.stream !== 0) {
        notes.push(`stream ${segment.stream}`);
    }
    if (segment.expandable) {
        notes.push("expandable");
    }
    return notes.join(", ");
}
