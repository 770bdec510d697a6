import type { Device } from "../data/schema";
import { counted, formatBytes, formatCount, formatPercent } from "../shared/format";

/** What a recording can and cannot tell, in sentences. */
export function coverageSentences(device: Device): string[] {
    return [...recording(device), ...older(device), ...faults(device), ...stacks(device)];
}

function recording({ coverage, events }: Device): string[] {
    if (coverage.trace === true) {
        return [
            `${counted(events, "memory event")} of the profiler.`,
            "Lines are those at which functions begin, or where they stood when the recording began. Sizes are what the allocator held.",
        ];
    }
    const sentences = [ring(coverage.ring, events, coverage.has_times)];
    if (coverage.resorted) {
        sentences.push("The events were out of order and were sorted by time (max_entries was raised while recording).");
    }
    return sentences;
}

function ring(state: string, events: number, hasTimes: boolean): string {
    switch (state) {
        case "empty":
            return "No history was recorded: this is the final state only. Record with torch.cuda.memory._record_memory_history().";
        case "wrapped":
            return `The ring buffer seems to have overflowed: exactly ${formatCount(events)} events were kept and the beginning is lost. Record with a larger max_entries.`;
        default:
            return `${counted(events, "event")}, no sign that the ring buffer overflowed${hasTimes ? "" : "; without times (torch before 2.2)"}.`;
    }
}

function older({ coverage, start_bytes: start }: Device): string[] {
    if (!(start > 0) || coverage.ring === "empty") {
        return [];
    }
    if (coverage.trace === true) {
        return [`${formatBytes(start)} were allocated before the recording.`];
    }
    const lived = `${formatBytes(coverage.older_live_bytes)} in ${counted(coverage.older_live_blocks, "block")} lived on to its end`;
    return [`${formatBytes(start)} were allocated before the recording: ${lived}, ${counted(coverage.unknown_frees, "free")} let go of the rest.`];
}

function faults({ coverage }: Device): string[] {
    const sentences = [];
    if (coverage.lost_frees > 0) {
        sentences.push(`${counted(coverage.lost_frees, "free")} must be missing: their addresses were used again.`);
    }
    if (coverage.live_without_block > 0) {
        sentences.push(`${counted(coverage.live_without_block, "allocation")} never freed have no block in the final state.`);
    }
    if (coverage.end_mismatch_bytes !== 0) {
        sentences.push(`The end does not add up: live bytes differ from the final state's by ${formatBytes(coverage.end_mismatch_bytes)}.`);
    }
    const unused = Object.entries(coverage.unused ?? {}).map(([name, count]) => `Not used: ${name.slice(0, 200)} (${formatCount(count)}).`);
    return [...sentences, ...unused];
}

function stacks({ coverage, peak }: Device): string[] {
    return peak !== null && peak.bytes > 0 ? [`${formatPercent(coverage.explained_share)} of the bytes at the peak have a line of code.`] : [];
}
