import type { Annotation } from "../data/schema";
import type { Range, Scale } from "../shared/scale";

const GUTTER = 68;
const RIGHT = 10;
const LANE = 17;
const STEP_LANE = 24;
const AXIS = 24;
const OVERVIEW = 34;
/** Rows of ranges that the timeline has at first, and at most. */
export const FEW_ROWS = 3;
export const MOST_ROWS = 16;

/** Where the parts of the timeline lie on its canvas, from top to bottom, in CSS pixels. */
export interface Geometry {
    left: number;
    right: number;
    phaseTop: number;
    annotationTop: number;
    annotationRows: number;
    stepTop: number;
    plotTop: number;
    plotBottom: number;
    overviewTop: number;
    overviewBottom: number;
    height: number;
}

export interface Lanes {
    hasPhases: boolean;
    hasSteps: boolean;
    annotationRows: number;
}

export function geometryFor(width: number, lanes: Lanes): Geometry {
    const plotHeight = width < 700 ? 240 : 340;
    const phaseTop = 2;
    const annotationTop = phaseTop + (lanes.hasPhases ? LANE : 0);
    const stepTop = annotationTop + lanes.annotationRows * LANE;
    const plotTop = stepTop + (lanes.hasSteps ? STEP_LANE : 8);
    const plotBottom = plotTop + plotHeight;
    const overviewTop = plotBottom + AXIS;
    return {
        left: GUTTER,
        right: width - RIGHT,
        phaseTop,
        annotationTop,
        annotationRows: lanes.annotationRows,
        stepTop,
        plotTop,
        plotBottom,
        overviewTop,
        overviewBottom: overviewTop + OVERVIEW,
        height: overviewTop + OVERVIEW + 2,
    };
}

export function laneHeight(): number {
    return LANE;
}

export function horizontal(geometry: Geometry, range: Range): Scale {
    return { from: range.from, to: range.to, start: geometry.left, end: geometry.right };
}

export function vertical(geometry: Geometry, bytes: Range): Scale {
    return { from: bytes.from, to: bytes.to, start: geometry.plotBottom, end: geometry.plotTop };
}

/** The row of each annotation, so that none covers another: ranges within ranges lie below; too deep ones are left out (-1). */
export function annotationRows(annotations: Annotation[], most: number): Int32Array {
    const rows = new Int32Array(annotations.length).fill(-1);
    const byStart = annotations.map((_, i) => i).sort((a, b) => annotations[a].from - annotations[b].from || annotations[b].to - annotations[a].to);
    const ends: number[] = new Array(most).fill(-Infinity);
    for (const i of byStart) {
        const row = ends.findIndex((end) => end <= annotations[i].from);
        if (row >= 0) {
            rows[i] = row;
            ends[row] = annotations[i].to;
        }
    }
    return rows;
}

/** The annotation that is drawn at a height and goes on at an event; -1 where there is none. */
export function annotationAt(annotations: Annotation[], rows: Int32Array, geometry: Geometry, y: number, event: number): number {
    const row = Math.floor((y - geometry.annotationTop) / LANE);
    const isLane = row >= 0 && row < geometry.annotationRows;
    return isLane ? annotations.findIndex(({ from, to }, i) => rows[i] === row && from <= event && event <= to) : -1;
}
