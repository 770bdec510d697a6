/** The lanes above the plot: which there are, and how many rows ranges have. */
import { checkBox } from "../shared/dom";
import { formatCount } from "../shared/format";
import { annotationRows, FEW_ROWS, MOST_ROWS, type Lanes } from "./geometry";
import type { Scene } from "./pen";

export function lanesOf({ picture, steps, rows }: Scene): Lanes {
    const hasSteps = picture.steps.length > 1;
    return { hasPhases: hasSteps && steps.phases.length > 1, hasSteps, annotationRows: rows.reduce((most, row) => Math.max(most, row + 1), 0) };
}

/** Shows the ranges that a few rows have no room for; null where there are none. */
export function rangesBox(scene: Scene, redraw: () => void): HTMLElement | null {
    const hidden = scene.rows.filter((row) => row < 0).length;
    if (hidden === 0) {
        return null;
    }
    return checkBox(`All ranges (${formatCount(hidden)} more)`, false, (checked) => {
        scene.rows = annotationRows(scene.picture.annotations, checked ? MOST_ROWS : FEW_ROWS);
        redraw();
    });
}
