/*
 * The horizontal axis counts events or microseconds. A position is a value on it. The state after event e holds from e up to e + 1.
 */
import type { Clock } from "../data/clock";
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
export function timeAxis(clock: Clock | null): Axis | null {
    const times = clock?.ascending ?? [];
    if (clock === null || !(times[times.length - 1] > times[0])) {
        return null;
    }
    const fromEvent = (event: number) => interpolate(times, fractionalIndex(clock.event, event));
    const edges = new Map<Level, Float64Array>();
    return {
        kind: "time",
        whole: { from: times[0], to: times[times.length - 1] },
        narrowest: Math.min(10, times[times.length - 1] - times[0]),
        edges: (level) => {
            const known = edges.get(level) ?? Float64Array.from(level.firstEvent, fromEvent);
            edges.set(level, known);
            return known;
        },
        toEvent: (position) => interpolate(clock.event, fractionalIndex(times, position)),
        fromEvent,
    };
}
