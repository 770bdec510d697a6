/** Paints everything of the timeline that is not a band, in its order. */
import { MONO_FONT, SMALL_FONT } from "../shared/canvas";
import type { Colour } from "../shared/palette";
import { paintAxis, paintGrid, paintLimit, paintReserved } from "./paintAxes";
import { paintPhases, paintRanges, paintSteps } from "./paintLanes";
import { paintChangePoints, paintCursors, paintFailures, paintPeak, paintSelection } from "./paintMarks";
import { paintOverview } from "./paintOverview";
import type { Pen } from "./pen";

/** What lies behind the bands. */
export function paintBackground(pen: Pen): void {
    paintGrid(pen);
}

/** What lies before them. */
export function paintForeground(pen: Pen): void {
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

/** The name of a band, where it is thick enough to hold it. */
export function paintBandLabel({ context }: Pen, text: string, ground: Colour, right: number, y: number): void {
    const isLightGround = ground[0] * 0.3 + ground[1] * 0.6 + ground[2] * 0.1 > 118;
    context.fillStyle = isLightGround ? "rgba(0,0,0,0.85)" : "rgba(255,255,255,0.92)";
    context.font = MONO_FONT;
    context.textAlign = "right";
    context.fillText(text, right, y);
    context.font = SMALL_FONT;
}
