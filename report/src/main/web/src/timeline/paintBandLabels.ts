/** Writes the names of bands that are thick enough to hold them. */
import { MONO_FONT, SMALL_FONT } from "../shared/canvas";
import { shown } from "../shared/format";
import type { Colour, SiteStyle } from "../shared/palette";
import { toPixel } from "../shared/scale";
import type { Column } from "./column";
import type { Pen } from "./pen";

/** Pixels that a name needs, and how far back from its end the band is looked at. */
const HEIGHT = 15;
const SAMPLES = [0, 32, 64, 96, 128, 160, 192];
const CHARACTERS = 28;
/** Where names end, as parts of the width. A narrow plot has room for one row of names, and single allocations are costly to look at. */
const ENDS = [1, 0.75, 0.5];
const NARROW = 800;
const MARGIN = 12;

/** The lower and upper edge of each site's band, in pixels. */
type Spans = ([number, number] | undefined)[];

/** Writes each name where its band is thickest over the length of a name; {@code columnAt} gives the bands above a pixel. */
export function paintBandLabels(pen: Pen, styles: SiteStyle[], isExact: boolean, columnAt: (x: number) => Column): void {
    const { left, right } = pen.geometry;
    const ends = isExact || right - left < NARROW ? [1] : ENDS;
    const places = ends.map((end) => {
        const x = left + (right - left) * end - MARGIN;
        return { x, spans: SAMPLES.map((back) => spansOf(pen, columnAt(x - back))) };
    });
    pen.scene.picture.sites.forEach((site, index) => {
        const rooms = places.map(({ x, spans }) => ({ x, ...roomFor(spans.map((span) => span[index])) }));
        const best = rooms.reduce((most, room) => (room.bottom - room.top > most.bottom - most.top + HEIGHT ? room : most));
        if (best.bottom - best.top >= HEIGHT) {
            write(pen.context, shown(site.label, CHARACTERS), styles[index].colour, best.x, (best.bottom + best.top) / 2);
        }
    });
}

function spansOf({ geometry, y }: Pen, column: Column): Spans {
    const spans: Spans = [];
    let below = geometry.plotBottom;
    for (let k = 0; k < column.count; k++) {
        const above = Math.min(Math.max(toPixel(y, column.top[k]), geometry.plotTop), geometry.plotBottom);
        spans[column.site[k]] = [spans[column.site[k]]?.[0] ?? below, above];
        below = above;
    }
    return spans;
}

/** The height that a band has at all of some places. */
function roomFor(spans: Spans): { bottom: number; top: number } {
    return { bottom: Math.min(...spans.map((span) => span?.[0] ?? -1)), top: Math.max(...spans.map((span) => span?.[1] ?? Infinity)) };
}

function write(context: CanvasRenderingContext2D, text: string, ground: Colour, right: number, y: number): void {
    const isLightGround = ground[0] * 0.3 + ground[1] * 0.6 + ground[2] * 0.1 > 118;
    context.fillStyle = isLightGround ? "rgba(0,0,0,0.85)" : "rgba(255,255,255,0.92)";
    context.font = MONO_FONT;
    context.textAlign = "right";
    context.fillText(text, right, y);
    context.font = SMALL_FONT;
}
