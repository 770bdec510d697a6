import { floats, ints } from "./decode";
import { decodeLevel, type Level } from "./pyramid";
import { stackingOrder } from "./siteOrder";
import type { Annotation, FrameTuple, OomMark, PictureJson, PictureSite, TreeName } from "./schema";
import { decodeTree, type Tree } from "./tree";

/** The value of {@code died} for what was never freed. */
export const NEVER = 2147483647;

/** The allocations that matter most, in order of birth. */
export interface Allocations {
    count: number;
    born: Int32Array;
    died: Int32Array;
    bytes: Float64Array;
    site: Int32Array;
    stack: Int32Array;
}

export interface Segment {
    address: string;
    bytes: number;
    pool: string;
    privatePool: string | null;
    stream: number;
    expandable: boolean;
    blocks: Blocks;
}

export interface Blocks {
    offset: Float64Array;
    bytes: Float64Array;
    state: Int32Array;
    site: Int32Array;
    stack: Int32Array;
}

/** One device of one input, decoded. */
export interface Picture {
    events: number;
    startTimeUs: number | null;
    sites: PictureSite[];
    frames: FrameTuple[];
    stacks: number[][];
    levels: Level[];
    /** Sites from the bottom of the stacked picture to its top. */
    order: number[];
    allocations: Allocations;
    /** Events at which steps begin; the last entry is the end of the last. */
    steps: Int32Array;
    annotations: Annotation[];
    peak: number;
    oom: OomMark[];
    deviceBytes: number | null;
    tree(name: TreeName): Tree;
    segments: Segment[];
    /** Segments that the page does not have: the smallest. */
    omittedSegments: number;
}

export function decodePicture(json: PictureJson): Picture {
    const levels = json.timeline.levels.map(decodeLevel);
    return {
        events: json.events,
        startTimeUs: json.startTimeUs,
        sites: json.sites,
        frames: json.frames,
        stacks: json.stacks,
        levels,
        order: stackingOrder(json.sites, levels.length > 0 ? levels[0].bySite : []),
        allocations: decodeAllocations(json),
        steps: ints(json.steps.starts),
        annotations: json.annotations,
        peak: json.marks.peak,
        oom: json.marks.oom,
        deviceBytes: json.deviceBytes,
        tree: (name) => decodeTree(json.trees[name]),
        omittedSegments: json.omittedSegments ?? 0,
        segments: json.segments.map((segment) => ({ ...segment, privatePool: segment.private, blocks: decodeBlocks(segment.blocks) })),
    };
}

function decodeAllocations(json: PictureJson): Allocations {
    const columns = json.allocations;
    const born = ints(columns.born);
    return {
        count: born.length,
        born,
        died: ints(columns.died),
        bytes: floats(columns.bytes),
        site: ints(columns.site),
        stack: ints(columns.stack),
    };
}

function decodeBlocks(columns: PictureJson["segments"][number]["blocks"]): Blocks {
    return {
        offset: floats(columns.offset),
        bytes: floats(columns.bytes),
        state: ints(columns.state),
        site: ints(columns.site),
        stack: ints(columns.stack),
    };
}

/** A frame as people write it: function, file's last name, line. */
export function frameLabel([file, line, name]: FrameTuple): string {
    const place = file.slice(file.lastIndexOf("/") + 1) + (line > 0 ? `:${line}` : "");
    return place === "" ? name : `${name}  ${place}`;
}

/** The stack with an index, innermost first; empty for none. */
export function stackLines(picture: Picture, stack: number): string[] {
    return (picture.stacks[stack] ?? []).map((frame) => {
        const [file, line, name] = picture.frames[frame];
        return `${file}${line > 0 ? `:${line}` : ""}  ${name}`;
    });
}
