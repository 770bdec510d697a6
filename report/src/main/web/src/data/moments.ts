/*
 * What is live at a moment. A block lives from one event to another, so a moment is a pass over the blocks; nothing is stored for a
 * moment by itself. Pages of large recordings have the blocks of some moments only; the nearest of those stands for any other.
 */
import type { Allocations } from "./allocations";
import type { Picture } from "./picture";
import { lastAtOrBelow } from "./search";
import type { Tree } from "./tree";

/** The moment that is shown first: the last failed request, else the peak. */
export function firstMoment({ oom, peak }: Pick<Picture, "oom" | "peak">): number {
    return oom[oom.length - 1]?.event ?? peak;
}

export function isLive({ born, died }: Pick<Allocations, "born" | "died">, allocation: number, event: number): boolean {
    return born[allocation] <= event && event < died[allocation];
}

/** Bytes and blocks of something, by the call that made them. */
export interface CallSums {
    bytes: Float64Array;
    blocks: Int32Array;
    /** Those of the bytes that a finding is about. */
    found: Float64Array;
    /** Live bytes whose blocks the page does not have. */
    missing: number;
}

/** What the allocations that satisfy a predicate hold, by call. */
export function sumByCall(picture: Picture, isWanted: (allocation: number) => boolean): CallSums {
    const { allocations, calls, sites } = picture;
    const count = calls.frame.length;
    const sums = { bytes: new Float64Array(count), blocks: new Int32Array(count), found: new Float64Array(count), missing: 0 };
    const isFound = sites.map((site) => site.finding !== null);
    for (let i = 0; i < allocations.count; i++) {
        if (isWanted(i)) {
            const call = allocations.call[i];
            sums.bytes[call] += allocations.bytes[i];
            sums.blocks[call]++;
            sums.found[call] += isFound[allocations.site[i]] ? allocations.bytes[i] : 0;
        }
    }
    return sums;
}

/** What is live at a moment, by call. */
export function liveByCall(picture: Picture, event: number): CallSums {
    const sums = sumByCall(picture, (allocation) => isLive(picture.allocations, allocation, event));
    const known = total(sums.bytes);
    return { ...sums, missing: Math.max((keptAt(picture, event)?.live ?? known) - known, 0) };
}

/** By how much each call holds more than at an earlier moment; calls that hold as much or less are left out. */
export function grownByCall(picture: Picture, from: number, to: number): CallSums {
    const before = liveByCall(picture, from);
    const after = liveByCall(picture, to);
    const isMore = (call: number) => after.bytes[call] > before.bytes[call];
    return {
        bytes: after.bytes.map((bytes, call) => (isMore(call) ? bytes - before.bytes[call] : 0)),
        blocks: after.blocks.map((blocks, call) => (isMore(call) ? Math.max(blocks - before.blocks[call], 0) : 0)),
        found: after.found.map((bytes, call) => (isMore(call) ? Math.min(Math.max(bytes - before.found[call], 0), after.bytes[call] - before.bytes[call]) : 0)),
        missing: Math.max(after.missing - before.missing, 0),
    };
}

/** What is live at a moment of what findings are about, by call. */
export function foundByCall(picture: Picture, event: number): CallSums {
    const { allocations, sites } = picture;
    return sumByCall(picture, (allocation) => sites[allocations.site[allocation]].finding !== null && isLive(allocations, allocation, event));
}

function keptAt({ moments }: Pick<Picture, "moments">, event: number): { live: number; reserved: number } | null {
    const index = moments === null ? -1 : lastAtOrBelow(moments.event, event);
    return moments === null || index < 0 || moments.event[index] !== event ? null : { live: moments.live[index], reserved: moments.reserved[index] };
}

/** Live and reserved bytes at a moment at which all blocks are known; reserved is null where neither the moment nor the segments say it. */
export function totalsAt(picture: Picture, event: number): { live: number; reserved: number | null } {
    const kept = keptAt(picture, event);
    if (kept !== null) {
        return kept;
    }
    const { allocations, segments, omittedSegments, moments } = picture;
    let live = 0;
    for (let i = 0; i < allocations.count; i++) {
        live += isLive(allocations, i, event) ? allocations.bytes[i] : 0;
    }
    const reserved = segments.reduce((sum, segment) => sum + (segment.born <= event && event < segment.died ? segment.bytes : 0), 0);
    return { live, reserved: moments === null || (segments.length > 0 && omittedSegments === 0) ? reserved : null };
}

/** The frame number that stands for blocks which the page does not have. */
export const LEFT_OUT = -2;
const OTHER = 5;

/** The tree of the calls that hold anything, callers first; what they hold together is at the root. */
export function treeOf({ calls }: Pick<Picture, "calls">, sums: CallSums): Tree {
    const bytes = gathered(calls.parent, sums.bytes);
    const blocks = gathered(calls.parent, Float64Array.from(sums.blocks));
    const found = gathered(calls.parent, sums.found);
    bytes[0] += sums.missing;
    const kept = Array.from(bytes.keys()).filter((call) => call === 0 || bytes[call] > 0);
    const numbers = new Int32Array(bytes.length).fill(-1);
    kept.forEach((call, number) => (numbers[call] = number));
    const rest = sums.missing > 0 ? [sums.missing] : [];
    const extra = (value: number) => rest.map(() => value);
    return {
        frame: Int32Array.from([...kept.map((call) => calls.frame[call]), ...extra(LEFT_OUT)]),
        parent: Int32Array.from([...kept.map((call) => (call === 0 ? -1 : numbers[calls.parent[call]])), ...extra(0)]),
        bytes: Float64Array.from([...kept.map((call) => bytes[call]), ...rest]),
        blocks: Int32Array.from([...kept.map((call) => blocks[call]), ...extra(0)]),
        kind: Int32Array.from([...kept.map((call) => calls.kind[call]), ...extra(OTHER)]),
        found: Float64Array.from([...kept.map((call) => found[call]), ...extra(0)]),
        folded: new Map(),
    };
}

/** The sums of each call and all beneath it. */
function gathered(parent: Int32Array, own: Float64Array): Float64Array {
    const sums = own.slice();
    for (let call = sums.length - 1; call > 0; call--) {
        sums[parent[call]] += sums[call];
    }
    return sums;
}

function total(values: Float64Array): number {
    return values.reduce((sum, value) => sum + value, 0);
}
