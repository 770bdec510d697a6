import type { Picture } from "../data/picture";
import type { Level } from "../data/pyramid";
import { lastAtOrBelow } from "../data/search";
import { formatBytes, formatCount, formatSpan } from "../shared/format";
import type { TimelineView } from "./view";

/** The state of memory at one event, as exact as the page knows it. */
export interface Moment {
    event: number;
    micros: number | null;
    step: number | null;
    live: number;
    reserved: number;
    /** Bytes by site. */
    bySite: number[];
}

export function momentAt(view: TimelineView, event: number): Moment {
    const { picture } = view;
    const level: Level | undefined = picture.levels[picture.levels.length - 1];
    const whole = Math.min(Math.max(Math.floor(event), -1), picture.events - 1);
    const bucket = level === undefined ? -1 : Math.min(Math.max(lastAtOrBelow(level.firstEvent, whole), 0), level.buckets - 1);
    return {
        event: whole,
        micros: view.axes.time?.fromEvent(whole) ?? null,
        step: stepAt(picture, whole),
        live: level?.live[bucket] ?? 0,
        reserved: level?.reserved[bucket] ?? 0,
        bySite: picture.sites.map((_, site) => level?.bySite[site][bucket] ?? 0),
    };
}

/** The step that an event belongs to; null before the first and after the last. */
export function stepAt(picture: Pick<Picture, "steps">, event: number): number | null {
    const step = lastAtOrBelow(picture.steps, event);
    return step < 0 || step >= picture.steps.length - 1 ? null : step;
}

/** When and where a moment is: event, step, time. */
export function momentPlace(moment: Moment): string {
    const parts = [moment.event < 0 ? "before the first event" : `event ${formatCount(moment.event)}`];
    if (moment.step !== null) {
        parts.push(`step ${formatCount(moment.step)}`);
    }
    if (moment.micros !== null) {
        parts.push(`+${formatSpan(moment.micros)}`);
    }
    return parts.join(" · ");
}

export function momentTotals(moment: Moment): string {
    return `${formatBytes(moment.live)} live · ${formatBytes(moment.reserved)} reserved`;
}
