/** The events of a recording, told from what lives and dies: nothing is stored for an event by itself. */
import { NEVER } from "./allocations";
import type { Picture, SegmentLife } from "./picture";

/** As PyTorch names them; "free" where the recording does not tell the two halves of a free apart, "other" for what changes no memory. */
export type Action = "alloc" | "free_requested" | "free_completed" | "free" | "segment_alloc" | "segment_map" | "segment_free" | "segment_unmap" | "oom" | "other";

export interface RecordedEvent {
    event: number;
    action: Action;
    bytes: number;
    /** Null where the event has none. */
    address: number | null;
    /** The row of the allocation that it is about; -1 where it is about none. */
    row: number;
}

/** The events from one until another; the page must have all blocks of them. */
export function recordedEvents(picture: Picture, from: number, to: number): RecordedEvent[] {
    const events: RecordedEvent[] = Array.from({ length: Math.max(to - from, 0) }, (_, i) => ({ event: from + i, action: "other", bytes: 0, address: null, row: -1 }));
    const set = (event: number, action: Action, bytes: number, address: number | null, row: number) => {
        if (event >= from && event < to) {
            events[event - from] = { event, action, bytes, address, row };
        }
    };
    const { count, born, died, released, bytes, address } = picture.allocations;
    for (let row = 0; row < count && born[row] < to; row++) {
        if (died[row] >= from) {
            set(died[row], released[row] === NEVER ? "free" : "free_completed", bytes[row], address[row], row);
            set(released[row], "free_requested", bytes[row], address[row], row);
        }
    }
    // What takes the place of a block whose free the recording lacks is an allocation, though another ends there.
    for (let row = 0; row < count && born[row] < to; row++) {
        set(born[row], "alloc", bytes[row], address[row], row);
    }
    segmentEvents(picture.segments).forEach((one) => set(one.event, one.action, one.bytes, one.address, -1));
    picture.oom.forEach(({ event, requested }) => set(event, "oom", requested, null, -1));
    return events;
}

/** What the driver gave and took; pages of an expandable segment that came at once are one event. */
function segmentEvents(segments: SegmentLife[]): RecordedEvent[] {
    const events = new Map<number, RecordedEvent>();
    const add = (event: number, action: Action, { bytes, start }: SegmentLife) => {
        const known = events.get(event);
        const address = Math.min(known?.address ?? start, start);
        events.set(event, { event, action, bytes: bytes + (known?.bytes ?? 0), address, row: -1 });
    };
    for (const segment of segments) {
        add(segment.born, segment.expandable ? "segment_map" : "segment_alloc", segment);
        add(segment.died, segment.expandable ? "segment_unmap" : "segment_free", segment);
    }
    return [...events.values()];
}
