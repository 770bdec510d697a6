/** Makes small inputs for tests. */
import type { PictureSite } from "../../main/web/src/data/schema";
import type { Tree } from "../../main/web/src/data/tree";
import { NEVER, type Allocations } from "../../main/web/src/data/allocations";
import type { Picture, SegmentLife } from "../../main/web/src/data/picture";
import { Stretches } from "../../main/web/src/data/stretches";

export function intColumn(values: number[]): string {
    return Buffer.from(Int32Array.from(values).buffer).toString("base64");
}

export function floatColumn(values: number[]): string {
    return Buffer.from(Float64Array.from(values).buffer).toString("base64");
}

/** A level whose buckets all hold as many events. */
export function evenLevel(buckets: number, events: number): { firstEvent: number[] } {
    return { firstEvent: Array.from({ length: buckets + 1 }, (_, i) => Math.floor((events * i) / buckets)) };
}

export function site(label: string, finding: number | null = null): PictureSite {
    return { label, file: `/app/${label}.py`, line: 1, function: "main", kind: "user", stack: [], finding };
}

/** A tree from rows of parent, frame, bytes, blocks, kind. */
export function tree(rows: [number, number, number, number, number][]): Tree {
    const column = (i: number) => rows.map((row) => row[i]);
    return {
        parent: Int32Array.from(column(0)),
        frame: Int32Array.from(column(1)),
        bytes: Float64Array.from(column(2)),
        blocks: Int32Array.from(column(3)),
        kind: Int32Array.from(column(4)),
        found: new Float64Array(rows.length),
        folded: new Map(),
    };
}

/** A picture that has allocations only: rows of born, died, bytes, site. */
export function pictureOf(events: number, sites: PictureSite[], rows: [number, number, number, number][]): Picture {
    const column = (i: number) => rows.map((row) => row[i]);
    const allocations: Allocations = {
        count: rows.length,
        born: Int32Array.from(column(0)),
        died: Int32Array.from(column(1)),
        bytes: Float64Array.from(column(2)),
        released: new Int32Array(rows.length).fill(NEVER),
        site: Int32Array.from(column(3)),
        call: new Int32Array(rows.length),
        address: new Float64Array(rows.length),
        grew: new Int32Array(rows.length),
    };
    const picture: Partial<Picture> = {
        events,
        sites,
        allocations,
        stored: allocations,
        stretches: new Stretches([]),
        omittedSegments: 0,
        calls: { frame: Int32Array.of(-1), parent: Int32Array.of(-1), kind: Int32Array.of(5) },
        frames: [],
        clock: null,
        levels: [],
        moments: null,
        order: sites.map((_, i) => i),
        oom: [],
        peak: 0,
        segments: [],
        steps: new Int32Array(0),
    };
    return picture as Picture;
}

/** A part of a segment that is there throughout, in the default pool for large requests. */
export function segmentAt(start: number, bytes: number, more: Partial<SegmentLife> = {}): SegmentLife {
    const common = { pool: "large", privatePool: null, stream: 0, streamNumber: 0, expandable: false, born: -1, died: NEVER };
    return { address: `0x${start.toString(16)}`, start, bytes, ...common, ...more };
}
