/** When events were. The page has the times of all events that it can point at. */
import { sums } from "./decode";
import type { ClockJson } from "./schema";
import { lastAtOrBelow } from "./search";

export interface Clock {
    event: Int32Array;
    /** Microseconds since the first event, as recorded. */
    micros: Float64Array;
    /** The same, never less than before: clocks may step back, an axis cannot. */
    ascending: Float64Array;
}

export function decodeClock(json: ClockJson): Clock {
    const micros = Float64Array.from(sums(json.timeUs));
    let latest = -Infinity;
    return { event: Int32Array.from(sums(json.event)), micros, ascending: micros.map((time) => (latest = Math.max(latest, time))) };
}

/** The recorded time of an event; null where the page does not have it. */
export function recordedTime({ event: events, micros }: Clock, event: number): number | null {
    const index = lastAtOrBelow(events, event);
    return events[index] === event ? micros[index] : null;
}
