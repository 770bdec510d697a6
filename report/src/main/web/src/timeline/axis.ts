/*
 * The horizontal axis counts events or microseconds. A position is a value on it. The state after event e holds from e up to e + 1.
 */
import type { Level } from "../data/pyramid";
import { fractionalIndex, interpolate } from "../data/search";
import type { Range } from "../shared/scale";

export type AxisKind = "events" | "time";

export interface Axis {
    kind: AxisKind;
    whole: Range;
    /** The narrowest range worth looking at. */
    narrowest: number;
    /** Positions at which a level's buckets begin, and where the last ends. */
    edges(level: Level): ArrayLike<number>;
    /** The event, in fractions, at a position. */
    toEvent(position: number): number;
    fromEvent(event: number): number;
}

export function eventAxis(events: number): Axis {
    const last = Math.max(events, 1);
    return {
        kind: "events",
        whole: { from: 0, to: last },
        narrowest: Math.min(8, last),
        edges: (level) => level.firstEvent,
        toEvent: (position) => position,
        fromEvent: (event) => Math.min(Math.max(event, 0), last),
    };
}

/** An axis of time; null where the recording has no times, or where no time passes. */
export function timeAxis(finest: Level | undefined): Axis | null {
    const times = finest?.timeUs;
    if (finest === undefined || times === null || times === undefined || !(times[times.length - 1] > times[0])) {
        return null;
    }
    return {
        kind: "time",
        whole: { from: times[0], to: times[times.length - 1] },
        narrowest: Math.min(10, times[times.length - 1] - times[0]),
        edges: (level) => level.timeUs ?? level.firstEvent,
        toEvent: (position) => interpolate(finest.firstEvent, fractionalIndex(times, position)),
        fromEvent: (event) => interpolate(times, fractionalIndex(finest.firstEvent, event)),
    };
}
