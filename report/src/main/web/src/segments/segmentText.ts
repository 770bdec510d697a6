/** Segments and the blocks in them in words. */
import { FREE, PENDING, type Segment } from "../data/layout";
import { stackLines, type Picture } from "../data/picture";
import { counted, formatBytes, formatPercent } from "../shared/format";
import { segmentNote, sumOf, type Failure, type SegmentUse } from "./space";

/** Frames of a tooltip; a click shows all. */
const STACK_LINES = 5;

/** All segments in a line. */
export function segmentsSummary(segments: Segment[], uses: SegmentUse[], omitted: number): string {
    const use = sumOf(uses);
    const all = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    const waiting = use.pending > 0 ? `, ${formatBytes(use.pending)} freed, waiting for a stream` : "";
    const holes = use.free > 0 ? ` in ${counted(use.holes, "hole")}, the largest ${formatBytes(use.largestHole)}` : "";
    const rest = omitted > 0 ? `; ${counted(omitted, "smaller segment")} left out` : "";
    return `${counted(segments.length, "segment")}, ${formatBytes(all)}: ${formatBytes(use.live)} live${waiting}, ${formatBytes(use.free)} free (${formatPercent(use.free / Math.max(all, 1))})${holes}${rest}`;
}

export function segmentText(segment: Segment, use: SegmentUse): string {
    const free = use.free > 0 ? `${formatBytes(use.free)} free in ${counted(use.holes, "hole")}` : "full";
    return `segment ${segment.address}: ${formatBytes(segment.bytes)}, ${segmentNote(segment)}, ${free}`;
}

/** A block of a segment, or a hole; {@code failed} is the request that failed at this moment. */
export function blockText(picture: Picture, { blocks }: Segment, block: number, failed: Failure | null): string[] {
    const size = formatBytes(blocks.bytes[block]);
    const place = `at offset ${formatBytes(blocks.offset[block])}`;
    if (blocks.state[block] === FREE) {
        const requested = failed?.mark.requested ?? 0;
        return [`${size} free, ${place}${blocks.bytes[block] < requested ? `: too small for ${formatBytes(requested)}` : ""}`];
    }
    const site = picture.sites[blocks.site[block]]?.label ?? "(no line known)";
    const waiting = blocks.state[block] === PENDING ? ", freed, waiting for a stream" : "";
    const stack = stackLines(picture, blocks.call[block]).map(({ text }) => text);
    return [site, `${size} ${place}${waiting}`, ...stack.slice(0, STACK_LINES)];
}
