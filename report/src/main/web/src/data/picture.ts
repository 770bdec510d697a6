import { decodeClock, type Clock } from "./clock";
import { decodeAllocations, joined, type Allocations } from "./allocations";
import { ints, sums } from "./decode";
import { keptMoments, type KeptMoments } from "./kept";
import { decodeLevel, type Level } from "./pyramid";
import { stackingOrder } from "./siteOrder";
import type { Stretches } from "./stretches";
import { KINDS, type Kind } from "./tree";
import type { Annotation, FrameTuple, OomMark, PictureJson, PictureSite, SegmentJson } from "./schema";

/** The calls that made the allocations, as a tree: parents stand before their children. */
export interface Calls {
    frame: Int32Array;
    parent: Int32Array;
    kind: Int32Array;
}

/** Memory from the driver while it was there. */
export interface SegmentLife {
    address: string;
    start: number;
    bytes: number;
    born: number;
    died: number;
    pool: string;
    privatePool: string | null;
    /** The raw handle of the stream that it serves, 0 for the default one, and a short number for it. */
    stream: number;
    streamNumber: number;
    expandable: boolean;
}

/** One device of one input, decoded. */
export interface Picture {
    events: number;
    startTimeUs: number | null;
    sites: PictureSite[];
    frames: FrameTuple[];
    /** Null where the recording has no times. */
    clock: Clock | null;
    levels: Level[];
    /** Sites from the bottom of the stacked picture to its top. */
    order: number[];
    calls: Calls;
    /** All that live at any of the moments, and in the stretches that were read. */
    allocations: Allocations;
    /** All that live at any of the moments. */
    stored: Allocations;
    /** Where the page has more, block by block. */
    stretches: Stretches;
    /** Null where all blocks are known after every event. */
    moments: KeptMoments | null;
    /** Events at which steps begin; the last entry is the end of the last. */
    steps: Int32Array;
    annotations: Annotation[];
    peak: number;
    oom: OomMark[];
    deviceBytes: number | null;
    /** By address. */
    segments: SegmentLife[];
    /** Allocations that the page does not have. */
    omittedAllocations: number;
    /** Segments that the page does not have: the smallest. */
    omittedSegments: number;
}

/** Decodes a picture; {@code owners} has for each finding the one whose colour it has. */
export function decodePicture(json: PictureJson, stretches: Stretches, owners: number[] = []): Picture {
    const levels = json.timeline.levels.map(decodeLevel);
    const sites = namedParts(json.sites).map((site) => ({ ...site, finding: site.finding === null ? null : (owners[site.finding] ?? site.finding) }));
    const stored = decodeAllocations(json.allocations);
    const picture: Picture = {
        events: json.events,
        startTimeUs: json.startTimeUs,
        sites,
        frames: json.frames,
        clock: json.clock === null ? null : decodeClock(json.clock),
        levels,
        order: stackingOrder(sites, levels.length > 0 ? levels[0].bySite : []),
        calls: { frame: ints(json.calls.frame), parent: ints(json.calls.parent), kind: ints(json.calls.kind) },
        allocations: stored,
        stored,
        stretches,
        moments: json.moments === null ? null : decodeMoments(json.moments),
        steps: ints(json.steps.starts),
        annotations: json.annotations,
        peak: json.marks.peak,
        oom: json.marks.oom,
        deviceBytes: json.deviceBytes,
        omittedAllocations: json.omittedAllocations,
        omittedSegments: json.omittedSegments,
        segments: decodeSegments(json.segments),
    };
    stretches.onRead((read) => (picture.allocations = read.length === 0 ? stored : joined(stored, read.reduce(joined))));
    return picture;
}

/**
 * Tells sites of one line apart: where a finding is about a part of what it allocates, the other part is the rest; what it allocates while a
 * backward pass runs says so.
 */
export function namedParts(sites: PictureSite[]): PictureSite[] {
    const place = (site: PictureSite) => `${site.file}:${site.line} ${site.function}`;
    const found = new Set(sites.filter((site) => site.finding !== null && site.file !== "").map(place));
    return sites.map((site) => {
        const name = site.kind === "backward" ? `${site.label} backward` : site.label;
        return { ...site, label: site.finding === null && found.has(place(site)) ? `rest of ${name}` : name };
    });
}

function decodeMoments({ event, live, reserved }: NonNullable<PictureJson["moments"]>): KeptMoments {
    return keptMoments(sums(event), sums(live), sums(reserved));
}

/** Streams are numbered in the order of their handles; the default one is 0. */
function decodeSegments(segments: SegmentJson[]): SegmentLife[] {
    const streams = [...new Set(segments.map((segment) => segment.stream).filter((stream) => stream !== 0))].sort((a, b) => a - b);
    return segments.map(({ private: privatePool, ...rest }) => ({ ...rest, privatePool, start: Number(rest.address), streamNumber: streams.indexOf(rest.stream) + 1 }));
}

/** A frame as people write it: function, file's last name, line. */
export function frameLabel([file, line, name]: FrameTuple): string {
    const place = file.slice(file.lastIndexOf("/") + 1) + (line > 0 ? `:${line}` : "");
    return place === "" ? name : `${name}  ${place}`;
}

/** A frame of a stack, and what kind of code it is. */
export interface StackLine {
    text: string;
    kind: Kind;
}

/** The frames that led to a call, innermost first. */
export function stackLines({ calls, frames }: Pick<Picture, "calls" | "frames">, end: number): StackLine[] {
    const lines: StackLine[] = [];
    for (let call = end; call > 0; call = calls.parent[call]) {
        const [file, line, name] = frames[calls.frame[call]];
        lines.push({ text: file === "" ? name : `${file}${line > 0 ? `:${line}` : ""}  ${name}`, kind: KINDS[calls.kind[call]] ?? "other" });
    }
    return lines;
}
