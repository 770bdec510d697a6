/** Describes a band of the timeline. */
import { blockLines } from "../block/blockText";
import type { Picture } from "../data/picture";
import { formatBytes } from "../shared/format";
import type { Column } from "./column";
import type { ExactStack } from "./exact";
import type { Moment } from "./moment";

/** A band of a column, or the block of a row in it, in lines of text, the most important first; none for no band. */
export function bandLines(picture: Picture, exact: ExactStack | null, column: Column, band: number, row: number, moment: Moment): string[] {
    if (band < 0) {
        return [];
    }
    const { label } = picture.sites[column.site[band]];
    if (exact === null || row < 0) {
        const below = band > 0 ? column.top[band - 1] : 0;
        return [`${label}: ${formatBytes(column.top[band] - below)}`];
    }
    const total = formatBytes(moment.bySite[column.site[band]] ?? 0);
    return [...blockLines(picture, exact.allocations, row).slice(0, 2), `${total} of this line`];
}
