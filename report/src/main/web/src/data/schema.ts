/**
 * The shapes of the data inside a page, schema leakline.page/1; those of the report in it are derived from the records of Java.
 * Names are those of the JSON. Sizes are bytes held by the allocator, times microseconds.
 */

import type { AnalysisResult } from "report";

/** A base64 string of little-endian 32-bit integers. */
export type IntColumn = string;
/** A base64 string of little-endian 64-bit floating point numbers. */
export type FloatColumn = string;
/** By how much each number differs from the one before; the first from 0. */
export type Differences = number[];

/** File, line, function. */
export type FrameTuple = [string, number, string];

export interface PageJson {
    schema: string;
    report: AnalysisResult;
    /** One for each device of the report, in their order. */
    pictures: PictureJson[];
}

export interface PictureJson {
    input: number;
    device: number;
    events: number;
    startTimeUs: number | null;
    endTimeUs: number | null;
    sites: PictureSite[];
    frames: FrameTuple[];
    clock: ClockJson | null;
    timeline: { levels: LevelJson[] };
    calls: { frame: IntColumn; parent: IntColumn; kind: IntColumn };
    allocations: AllocationsJson;
    /** When all blocks are known; null where that is after every event. */
    moments: { event: Differences; live: Differences; reserved: Differences } | null;
    steps: { starts: IntColumn };
    annotations: Annotation[];
    marks: { peak: number; oom: OomMark[] };
    deviceBytes: number | null;
    segments: SegmentJson[];
    /** How many allocations of the recording the page does not have. */
    omittedAllocations: number;
    /** How many segments are left out: the smallest. */
    omittedSegments: number;
}

export interface PictureSite {
    label: string;
    file: string;
    line: number;
    function: string;
    kind: string;
    stack: number[];
    finding: number | null;
}

/** When events were, since the first event. */
export interface ClockJson {
    event: Differences;
    timeUs: Differences;
}

export interface LevelJson {
    buckets: number;
    firstEvent: IntColumn;
    /** Events from the first of each bucket to the one after which most was live; -1 for before the first event. */
    highest: number[];
    live: FloatColumn;
    liveMin: FloatColumn;
    reserved: FloatColumn;
    bySite: FloatColumn[];
}

export interface Annotation {
    name: string;
    from: number;
    to: number;
}

export interface OomMark {
    event: number;
    requested: number;
    free: number;
    site: string;
}

export interface AllocationsJson {
    born: Differences;
    /** Events from birth to death; 0 for never. */
    life: number[];
    /** One more than the events from birth until the program freed a block that then waited for other streams; 0 for never. */
    released: number[];
    bytes: FloatColumn;
    address: FloatColumn;
    site: IntColumn;
    call: IntColumn;
}

export interface SegmentJson {
    address: string;
    bytes: number;
    born: number;
    died: number;
    pool: string;
    private: string | null;
    stream: number;
    expandable: boolean;
}
