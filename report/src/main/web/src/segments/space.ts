import { FREE, PENDING, type Segment } from "../data/layout";
import type { OomMark } from "../data/schema";

/** What a segment has in use and free. */
export interface SegmentUse {
    live: number;
    pending: number;
    free: number;
    largestHole: number;
    holes: number;
}

export function useOf(segment: Pick<Segment, "blocks">): SegmentUse {
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

/** All segments together. */
export function sumOf(uses: SegmentUse[]): SegmentUse {
    const sum = { live: 0, pending: 0, free: 0, largestHole: 0, holes: 0 };
    for (const use of uses) {
        sum.live += use.live;
        sum.pending += use.pending;
        sum.free += use.free;
        sum.holes += use.holes;
        sum.largestHole = Math.max(sum.largestHole, use.largestHole);
    }
    return sum;
}

/** A request that failed beside what was free when it did. */
export interface Failure {
    mark: OomMark;
    use: SegmentUse;
    /** Holes that are large enough for the request, of any pool and stream. */
    fitting: number;
}

/** The request that failed at an event, beside the segments of that moment; null where none did. */
export function failureAt(oom: OomMark[], event: number, segments: Pick<Segment, "blocks">[]): Failure | null {
    const mark = oom.find((one) => one.event === event);
    if (mark === undefined) {
        return null;
    }
    return { mark, use: sumOf(segments.map(useOf)), fitting: segments.reduce((sum, segment) => sum + holesFrom(segment, mark.requested), 0) };
}

/** The holes of at least so many bytes. */
function holesFrom({ blocks }: Pick<Segment, "blocks">, bytes: number): number {
    let holes = 0;
    for (let i = 0; i < blocks.state.length; i++) {
        holes += blocks.state[i] === FREE && blocks.bytes[i] >= bytes ? 1 : 0;
    }
    return holes;
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
export function segmentNote(segment: Pick<Segment, "pool" | "privatePool" | "stream" | "streamNumber" | "expandable">): string {
    const notes = [`${segment.pool} pool`];
    if (segment.privatePool !== null) {
        notes.push(`private pool ${segment.privatePool}`);
    }
    if (segment.stream !== 0) {
        notes.push(`stream ${segment.streamNumber} (handle 0x${segment.stream.toString(16)})`);
    }
    if (segment.expandable) {
        notes.push("expandable");
    }
    return notes.join(", ");
}
