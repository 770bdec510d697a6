/** Of the events after which a page has all blocks those near another. */
import { isKept, isKeptThroughout, within, type Kept } from "./kept";
import { lastAtOrBelow } from "./search";

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
    const beyond = [moment, ...picture.stretches.around(next)].filter((one) => (one - event) * direction > 0);
    return beyond.reduce((best, one) => (Math.abs(one - event) < Math.abs(best - event) ? one : best), beyond[0] ?? event);
}

/** The event nearest to another around which the page has all blocks of so many events; null where there is none. */
export function nearestRun(picture: Kept, event: number, events: number): number | null {
    const half = events / 2;
    const ofStretches = picture.stretches.all.map(({ from, to }) => Math.min(Math.max(event, from + half), to - half));
    const middles = [event, ...ofStretches, ...(picture.moments?.event ?? [])].filter((middle) => isKeptThroughout(picture, middle - half, middle + half));
    return middles.length === 0 ? null : middles.reduce((best, middle) => (Math.abs(middle - event) < Math.abs(best - event) ? middle : best));
}
