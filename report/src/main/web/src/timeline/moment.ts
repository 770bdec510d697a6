import { recordedTime } from "../data/clock";
import type { Picture } from "../data/picture";
import type { Level } from "../data/pyramid";
import type { Allocations } from "../data/allocations";
import { isKnown } from "../data/kept";
import { isLive, totalsAt } from "../data/moments";
import { lastAtOrBelow } from "../data/search";
import { formatBytes, formatCount, formatSpan } from "../shared/format";
import type { TimelineView } from "./view";

/** The state of memory at one event, as exact as the page knows it. */
export interface Moment {
    event: number;
    micros: number | null;
    /** Whether that was recorded; else it is between the times of others. */
    isTimed: boolean;
    step: number | null;
    /** What is known of the moment: all of it, all but the reserved bytes, or what was the most of some events around it. */
    known: "all" | "live" | "most";
    live: number;
    reserved: number;
    /** Bytes by site. */
    bySite: number[];
}

/** The last moment of each picture, and what was known when it was made: pages ask for the same again whenever they are drawn. */
const last = new WeakMap<Picture, { moment: Moment; known: Allocations }>();

export function momentAt(view: Pick<TimelineView, "picture" | "axes">, event: number): Moment {
    const { picture } = view;
    const whole = Math.min(Math.max(Math.floor(event), -1), picture.events - 1);
    const made = last.get(picture);
    if (made?.moment.event === whole && made.known === picture.allocations) {
        return made.moment;
    }
    const figures = isKnown(picture, whole) ? exactFigures(picture, whole) : bucketFigures(picture, whole);
    const moment = { event: whole, ...timeAt(view, whole), step: stepAt(picture, whole), ...figures };
    last.set(picture, { moment, known: picture.allocations });
    return moment;
}

function timeAt({ picture, axes }: Pick<TimelineView, "picture" | "axes">, event: number): Pick<Moment, "micros" | "isTimed"> {
    const recorded = picture.clock === null ? null : recordedTime(picture.clock, Math.max(event, 0));
    return { micros: recorded ?? axes.time?.fromEvent(event) ?? null, isTimed: recorded !== null };
}

type Figures = Pick<Moment, "known" | "live" | "reserved" | "bySite">;

function exactFigures(picture: Picture, event: number): Figures {
    const bySite: number[] = picture.sites.map(() => 0);
    const { allocations } = picture;
    for (let i = 0; i < allocations.count; i++) {
        if (isLive(allocations, i, event)) {
            bySite[allocations.site[i]] += allocations.bytes[i];
        }
    }
    const { live, reserved } = totalsAt(picture, event);
    return reserved === null ? { known: "live", live, reserved: bucketFigures(picture, event).reserved, bySite } : { known: "all", live, reserved, bySite };
}

function bucketFigures(picture: Picture, event: number): Figures {
    const level: Level | undefined = picture.levels[picture.levels.length - 1];
    const bucket = level === undefined ? -1 : Math.min(Math.max(lastAtOrBelow(level.firstEvent, event), 0), level.buckets - 1);
    const bySite = picture.sites.map((_, site) => level?.bySite[site][bucket] ?? 0);
    return { known: level?.highest[bucket] === event ? "live" : "most", live: level?.live[bucket] ?? 0, reserved: level?.reserved[bucket] ?? 0, bySite };
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
        parts.push(`${moment.isTimed ? "" : "about "}+${formatSpan(moment.micros)}`);
    }
    return parts.join(" · ");
}

export function momentTotals(moment: Moment): string {
    const upTo = (isExact: boolean) => (isExact ? "" : "up to ");
    const live = `${upTo(moment.known !== "most")}${formatBytes(moment.live)} live`;
    return `${live} · ${upTo(moment.known === "all")}${formatBytes(moment.reserved)} reserved`;
}
