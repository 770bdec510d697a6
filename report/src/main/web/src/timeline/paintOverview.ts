/** Paints the whole recording in small, with the part in view. */
import { css, mix } from "../shared/palette";
import { toPixel, type Scale } from "../shared/scale";
import { crisp, type Pen } from "./pen";

export function paintOverview(pen: Pen): void {
    const { geometry, scene, context, theme } = pen;
    const level = scene.picture.levels[0];
    const { whole } = scene.view.axis;
    const x: Scale = { from: whole.from, to: whole.to, start: geometry.left, end: geometry.right };
    const y: Scale = { from: 0, to: scene.view.allBytes.to, start: geometry.overviewBottom, end: geometry.overviewTop };
    context.fillStyle = css(mix(theme.paper, theme.ink, 0.045));
    context.fillRect(geometry.left, geometry.overviewTop, geometry.right - geometry.left, geometry.overviewBottom - geometry.overviewTop);
    if (level !== undefined) {
        context.strokeStyle = css(theme.faint);
        pen.steppedLine(level, level.live, x, y);
        context.lineTo(x.end, y.start);
        context.lineTo(x.start, y.start);
        context.fillStyle = css(theme.faint, 0.3);
        context.fill();
    }
    paintWindow(pen, x);
    pen.laneName("overview", (geometry.overviewTop + geometry.overviewBottom) / 2);
}

function paintWindow({ geometry, scene, context, theme }: Pen, x: Scale): void {
    const { range, isWhole } = scene.view;
    if (!isWhole) {
        const left = toPixel(x, range.from);
        const width = Math.max(toPixel(x, range.to) - left, 3);
        context.fillStyle = css(theme.ink, 0.1);
        context.fillRect(left, geometry.overviewTop, width, geometry.overviewBottom - geometry.overviewTop);
        context.strokeStyle = css(theme.ink);
        context.strokeRect(crisp(left), crisp(geometry.overviewTop), Math.round(width), geometry.overviewBottom - geometry.overviewTop - 1);
    }
}
