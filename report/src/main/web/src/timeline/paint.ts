/** Paints everything of the timeline that is not a band, in its order. */
import { paintAxis, paintGrid, paintLimit, paintReserved } from "./paintAxes";
import { paintPhases, paintRanges, paintSteps } from "./paintLanes";
import { paintOutlines, type Outlines } from "./paintBlocks";
import { paintChangePoints, paintCursors, paintFailures, paintPeak, paintSelection } from "./paintMarks";
import { paintOverview } from "./paintOverview";
import type { Pen } from "./pen";

/** What lies behind the bands. */
export function paintBackground(pen: Pen): void {
    paintGrid(pen);
}

/** What lies before them. */
export function paintForeground(pen: Pen, outlines: Outlines): void {
    pen.clipped(() => paintOutlines(pen, outlines));
    paintReserved(pen);
    paintLimit(pen);
    pen.clipped(() => paintChangePoints(pen));
    paintAxis(pen);
    paintSteps(pen);
    paintPhases(pen);
    paintRanges(pen);
    pen.clipped(() => paintPeak(pen));
    paintFailures(pen);
    paintOverview(pen);
    paintSelection(pen);
    paintCursors(pen);
}
