import type { Growth } from "report";

/** A straight line over steps. */
export interface FittedLine {
    first: number;
    last: number;
    atFirst: number;
    atLast: number;
}

/** The line with a known slope that lies nearest to the floor between the first and the last step of growth; null without points. */
export function fittedLine(growth: Pick<Growth, "floor" | "first_step" | "last_step">, slope: number): FittedLine | null {
    const { first_step: first, last_step: last } = growth;
    const points = growth.floor.filter((point) => point.step >= first && point.step <= last);
    if (points.length < 2) {
        return null;
    }
    const rest = points.reduce((sum, point) => sum + point.bytes - slope * (point.step - first), 0) / points.length;
    return { first, last, atFirst: rest, atLast: rest + slope * (last - first) };
}
