/*
 * After which events a page has all blocks: after every one of a short recording; else at some moments, of which many follow each other without a gap, and in
 * stretches that are read when they are looked at.
 */
import { BEFORE } from "./allocations";
import type { Picture } from "./picture";
import { lastAtOrBelow } from "./search";
import type { Stretch } from "./stretches";

export type Kept = Pick<Picture, "events" | "moments" | "stretches">;

/** The moments at which all blocks are known. */
export interface KeptMoments {
    event: Int32Array;
    live: Float64Array;
    reserved: Float64Array;
    /** For each the event after the last of those that follow it without a gap. */
    end: Int32Array;
}

export function keptMoments(events: number[], live: number[], reserved: number[]): KeptMoments {
    const event = Int32Array.from(events);
    const end = event.map((one) => one + 1);
    for (let i = event.length - 2; i >= 0; i--) {
        end[i] = event[i + 1] === event[i] + 1 ? end[i + 1] : end[i];
    }
    return { event, live: Float64Array.from(live), reserved: Float64Array.from(reserved), end };
}

/** A run of events after each of which all blocks are there; {@code to} is the event after the last. */
export interface Run {
    from: number;
    to: number;
}

function within({ events }: Kept, event: number): number {
    return Math.min(Math.max(Math.floor(event), BEFORE), events - 1);
}

/** The event after the last of those from one on that the page has without a gap; the event itself where it has not even that. */
function endOfRun(picture: Kept, from: number, stretchAt: (event: number) => Stretch | null): number {
    const { moments, events } = picture;
    let end = from;
    for (let next = from; next < events; end = next) {
        const index = moments === null ? -1 : lastAtOrBelow(moments.event, next);
        const ofMoments = moments !== null && moments.event[index] === next ? moments.end[index] : next;
        next = moments === null ? events : Math.max(ofMoments, stretchAt(next)?.to ?? next);
        if (next === end) {
            return end;
        }
    }
    return end;
}

/** Whether the page has all blocks after an event, read or not. */
export function isKept(picture: Kept, event: number): boolean {
    return endOfRun(picture, event, (at) => picture.stretches.at(at)) > event;
}

/** Whether all blocks after an event are known by now. */
export function isKnown(picture: Kept, event: number): boolean {
    return endOfRun(picture, event, (at) => picture.stretches.readAt(at)) > event;
}

/** Whether all blocks are known by now after each event from one on, until another. */
export function isKnownThroughout(picture: Kept, from: number, to: number): boolean {
    return endOfRun(picture, within(picture, Math.max(from, 0)), (at) => picture.stretches.readAt(at)) >= Math.min(Math.ceil(to), picture.events);
}

/** Whether the page has all blocks after each event from one on, until another. */
export function isKeptThroughout(picture: Kept, from: number, to: number): boolean {
    return endOfRun(picture, within(picture, Math.max(from, 0)), (at) => picture.stretches.at(at)) >= Math.min(Math.ceil(to), picture.events);
}

/** The moment nearest to an event; the earlier of two. */
export function nearestMoment(picture: Kept, event: number): number {
    const wanted = within(picture, event);
    const kept = picture.moments?.event;
    if (kept === undefined || kept.length === 0) {
        return wanted;
    }
    const below = Math.max(lastAtOrBelow(kept, wanted), 0);
    const above = Math.min(below + 1, kept.length - 1);
    return kept[above] - wanted < wanted - kept[below] ? kept[above] : kept[below];
}

/** The event nearest to another at which the page has all blocks, read or not. */
export function nearestKept(picture: Kept, event: number): number {
    const wanted = within(picture, event);
    const candidates = picture.stretches.at(wanted) === null ? [nearestMoment(picture, wanted), ...picture.stretches.around(wanted)] : [wanted];
    return candidates.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best));
}

/** The next event at which the page has all blocks, in a direction (1 or -1); the same where there is none. */
export function neighbourKept(picture: Kept, event: number, direction: number): number {
    const next = within(picture, event + direction);
    if (picture.moments === null || isKept(picture, next)) {
        return next;
    }
    const { event: kept } = picture.moments;
    const moment = kept[direction > 0 ? lastAtOrBelow(kept, event) + 1 : lastAtOrBelow(kept, event - 1)] ?? event;
    const beyond = [moment, ...picture.stretches.around(event)].filter((one) => (one - event) * direction > 0);
    return beyond.reduce((best, one) => (Math.abs(one - event) < Math.abs(best - event) ? one : best), beyond[0] ?? event);
}

/** The event nearest to another around which the page has all blocks of so many events; null where there is none. */
export function nearestRun(picture: Kept, event: number, events: number): number | null {
    const half = events / 2;
    const ofStretches = picture.stretches.all.map(({ from, to }) => Math.min(Math.max(event, from + half), to - half));
    const middles = [event, ...ofStretches, ...(picture.moments?.event ?? [])].filter((middle) => isKeptThroughout(picture, middle - half, middle + half));
    return middles.length === 0 ? null : middles.reduce((best, middle) => (Math.abs(middle - event) < Math.abs(best - event) ? middle : best));
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

/** Of the events of a recording the share after which the page has all blocks. */
export function keptShare(picture: Kept): number {
    const { moments, stretches, events } = picture;
    if (moments === null) {
        return 1;
    }
    const ofStretches = stretches.all.reduce((sum, { from, to }) => sum + to - from, 0);
    const others = moments.event.filter((event) => event >= 0 && stretches.at(event) === null).length;
    return (ofStretches + others) / Math.max(events, 1);
}
