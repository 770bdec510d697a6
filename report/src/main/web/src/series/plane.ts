/** Figures that share an axis, and the plane that they are drawn in. */
import type { Band } from "report";
import { lastAtOrBelow } from "../data/search";
import { formatCount, formatSpan, trimZeros } from "../shared/format";
import { countTicks, decimalTicks, type Scale } from "../shared/scale";

export const WIDTH = 1000;
export const HEIGHT = 300;
const LEFT = 70;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 32;

/** A band whose place on the axis is known. */
export interface PlacedBand extends Band {
    position: number;
}

/** A curve of the chart. */
export interface Curve {
    name: string;
    bands: PlacedBand[];
    grows: boolean;
}

/** A curve of those bands whose place is known. */
export function curveOf(name: string, bands: Band[], grows: boolean): Curve {
    return { name, bands: bands.filter((band): band is PlacedBand => band.position !== null), grows };
}

export interface Plane {
    x: Scale;
    y: Scale;
    axis: string;
    /** The first position of all. */
    origin: number;
}

const UNITS: Record<string, string> = { time: "time", elapsed: "time", step: "step", epoch: "epoch", index: "number" };

/** What the axis counts. */
export function unit(axis: string): string {
    return UNITS[axis] ?? axis;
}

export function isTime(axis: string): boolean {
    return axis === "time" || axis === "elapsed";
}

/** A plane that all curves fit in. */
export function planeOf(curves: Curve[], axis: string): Plane {
    const ends = curves.flatMap(({ bands }) => [bands[0].position, bands[bands.length - 1].position]);
    const origin = Math.min(...ends);
    const highest = Math.max(...curves.flatMap(({ bands }) => bands.map((band) => band.high)), 1);
    return {
        x: { from: 0, to: Math.max(Math.max(...ends) - origin, Number.MIN_VALUE), start: LEFT, end: WIDTH - RIGHT },
        y: { from: 0, to: highest * 1.04, start: HEIGHT - BOTTOM, end: TOP },
        axis,
        origin,
    };
}

/** The ticks of the horizontal axis: where, and what stands there. */
export function ticks({ x, axis, origin }: Plane): { at: number; label: string }[] {
    if (isTime(axis)) {
        return decimalTicks(x.from, x.to, 8).map((at) => ({ at, label: at === 0 ? "0" : trimZeros(formatSpan(at)) }));
    }
    return countTicks(x.from + origin, x.to + origin, 8).map((position) => ({ at: position - origin, label: formatCount(position) }));
}

/** A place as a reader would say it. */
export function placeText(axis: string, origin: number, position: number): string {
    return isTime(axis) ? `+${formatSpan(position - origin)}` : `${unit(axis)} ${formatCount(position)}`;
}

/** The stretch that a position lies in: the last that begins at or before it; null before the first and after the last. */
export function bandAt(bands: PlacedBand[], position: number): PlacedBand | null {
    if (bands.length === 0 || position < bands[0].position || position > bands[bands.length - 1].position) {
        return null;
    }
    return bands[lastAtOrBelow(bands.map((band) => band.position), position)];
}
