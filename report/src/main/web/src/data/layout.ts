/*
 * The layout of memory at a moment: the segments, and in each the blocks by address with the holes between them.
 *
 * An allocation that is dead by the end counts what its request was rounded to; the block may have been larger, as the allocator cuts off
 * a rest only where that is worth it (should_split: above 1 MiB in segments for large requests, always in small and in expandable
 * ones). So a narrower gap behind a block is part of it. At the end all blocks are known exactly, and every gap is a hole.
 */
import type { Allocations } from "./allocations";
import { isLive } from "./moments";
import type { Picture, SegmentLife } from "./picture";

export const FREE = 0;
export const LIVE = 1;
export const PENDING = 2;

const LARGEST_REST = 1 << 20;

/** The blocks of a segment in the order of their addresses, holes among them. */
export interface Blocks {
    offset: Float64Array;
    bytes: Float64Array;
    state: Int32Array;
    site: Int32Array;
    /** The row of the allocation that lives there; -1 for holes. */
    allocation: Int32Array;
    /** The call that made it. */
    call: Int32Array;
}

/** A segment at a moment. Neighbouring parts of an expandable segment are one. */
export interface Segment extends SegmentLife {
    blocks: Blocks;
    /** Those that the rows of blocks are of. */
    allocations: Allocations;
}

/** The allocations that are live at a moment, by address. */
function tenantsAt({ allocations }: Picture, event: number): Int32Array {
    const { address, count } = allocations;
    const live = Int32Array.from({ length: count }, (_, row) => row).filter((row) => isLive(allocations, row, event));
    return live.sort((a, b) => address[a] - address[b]);
}

/** The segments at a moment, by address. */
export function layoutAt(picture: Picture, event: number): Segment[] {
    const isEnd = event >= picture.events - 1;
    const tenants = tenantsAt(picture, event);
    const { address } = picture.allocations;
    let next = 0;
    return joined(picture.segments.filter((life) => life.born <= event && event < life.died)).map((life) => {
        while (next < tenants.length && address[tenants[next]] < life.start) {
            next++;
        }
        const first = next;
        while (next < tenants.length && address[tenants[next]] < life.start + life.bytes) {
            next++;
        }
        return { ...life, allocations: picture.allocations, blocks: blocksOf(picture, life, tenants.subarray(first, next), event, isEnd) };
    });
}

/** Parts of expandable segments that follow each other become one segment. */
function joined(lives: SegmentLife[]): SegmentLife[] {
    const segments: SegmentLife[] = [];
    for (const life of lives) {
        const last = segments[segments.length - 1];
        if (last !== undefined && belongTogether(last, life)) {
            segments[segments.length - 1] = { ...last, bytes: last.bytes + life.bytes };
        } else {
            segments.push(life);
        }
    }
    return segments;
}

function belongTogether(a: SegmentLife, b: SegmentLife): boolean {
    return a.expandable && b.expandable && a.start + a.bytes === b.start && a.stream === b.stream && a.privatePool === b.privatePool;
}

/** Lays blocks into a segment; what stands between them is free, or belongs to the block before it. */
function blocksOf(picture: Picture, segment: SegmentLife, tenants: Int32Array, event: number, isEnd: boolean): Blocks {
    const { allocations } = picture;
    const rows = new Rows();
    const holesAreExact = isEnd || segment.expandable || segment.pool === "small";
    let end = 0;
    const closeGap = (offset: number) => {
        const gap = offset - end;
        if (gap > LARGEST_REST || (gap > 0 && (holesAreExact || rows.isEmpty))) {
            rows.add(end, gap, FREE, -1, -1);
        } else if (gap > 0) {
            rows.extend(gap);
        }
    };
    for (const allocation of tenants) {
        const offset = allocations.address[allocation] - segment.start;
        const bytes = Math.min(allocations.bytes[allocation], segment.bytes - offset);
        closeGap(offset);
        rows.add(offset, bytes, allocations.released[allocation] <= event ? PENDING : LIVE, allocations.site[allocation], allocation);
        end = Math.max(end, offset + bytes);
    }
    closeGap(segment.bytes);
    return rows.blocks(allocations);
}

/** Blocks while they are put together. */
class Rows {
    private readonly offset: number[] = [];
    private readonly bytes: number[] = [];
    private readonly state: number[] = [];
    private readonly site: number[] = [];
    private readonly allocation: number[] = [];

    get isEmpty(): boolean {
        return this.offset.length === 0;
    }

    add(offset: number, bytes: number, state: number, site: number, allocation: number): void {
        this.offset.push(offset);
        this.bytes.push(bytes);
        this.state.push(state);
        this.site.push(site);
        this.allocation.push(allocation);
    }

    /** Makes the last block larger. */
    extend(bytes: number): void {
        this.bytes[this.bytes.length - 1] += bytes;
    }

    blocks({ call }: Allocations): Blocks {
        return {
            offset: Float64Array.from(this.offset),
            bytes: Float64Array.from(this.bytes),
            state: Int32Array.from(this.state),
            site: Int32Array.from(this.site),
            allocation: Int32Array.from(this.allocation),
            call: Int32Array.from(this.allocation, (row) => call[row] ?? 0),
        };
    }
}
