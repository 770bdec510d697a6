/** Events that follow each other without a gap, after each of which a page has all blocks. */
import { BEFORE } from "./allocations";
import { endOfRun, isKept, type Kept } from "./kept";
import { lastAtOrBelow } from "./search";

/** A run of events after each of which all blocks are there; {@code to} is the event after the last. */
export interface Run {
    from: number;
    to: number;
}

/** The run that an event is in, no further than so many events from it; null where the page has not the events beside it. */
export function runAround(picture: Kept, event: number, most: number): Run | null {
    const first = Math.max(event - most, BEFORE);
    let from = isKept(picture, event) ? event : NaN;
    for (let before = from - 1; before >= first && isKept(picture, before); before = from - 1) {
        from = Math.max(startOf(picture, before), first);
    }
    const to = Math.min(endOfRun(picture, event, (at) => picture.stretches.at(at)), event + most);
    return to - from > 1 ? { from, to } : null;
}

/** The first event of what an event was kept with: its stretch, or the moments before it without a gap. */
function startOf({ moments, stretches }: Kept, event: number): number {
    const stretch = stretches.at(event);
    if (moments === null || stretch !== null) {
        return stretch?.from ?? BEFORE;
    }
    let index = lastAtOrBelow(moments.event, event);
    while (index > 0 && moments.event[index - 1] === moments.event[index] - 1) {
        index--;
    }
    return moments.event[index];
}
