/*
 * After which events a page has all blocks: after every one of a short recording; else at some moments, of which many follow each other without a gap, and in
 * stretches that are read when they are looked at.
 */
import { BEFORE } from "./allocations";
import { lastAtOrBelow } from "./search";
import type { Stretch, Stretches } from "./stretches";

/** The moments at which all blocks are known. */
export interface KeptMoments {
    event: Int32Array;
    live: Float64Array;
    reserved: Float64Array;
    /** For each the event after the last of those that follow it without a gap. */
    end: Int32Array;
}

/** What of a picture says where all blocks are known: after every event where there are no moments. */
export interface Kept {
    events: number;
    moments: KeptMoments | null;
    stretches: Stretches;
}

export function keptMoments(events: number[], live: number[], reserved: number[]): KeptMoments {
    const event = Int32Array.from(events);
    const end = event.map((one) => one + 1);
    for (let i = event.length - 2; i >= 0; i--) {
        end[i] = event[i + 1] === event[i] + 1 ? end[i + 1] : end[i];
    }
    return { event, live: Float64Array.from(live), reserved: Float64Array.from(reserved), end };
}

/** An event that the recording has, or the one before the first. */
export function within({ events }: Kept, event: number): number {
    return Math.min(Math.max(Math.floor(event), BEFORE), events - 1);
}

/** The event after the last of those from one on that the page has without a gap; the event itself where it has not even that. */
export function endOfRun(picture: Kept, from: number, stretchAt: (event: number) => Stretch | null): number {
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
