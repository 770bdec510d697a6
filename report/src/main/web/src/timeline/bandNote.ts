/** Describes a band of the timeline. */
import { NEVER, stackLines, type Picture } from "../data/picture";
import { counted, formatBytes, formatCount } from "../shared/format";
import type { Column } from "./column";
import type { Moment } from "./moment";

const STACK_LINES = 8;

/** A band of a column in lines of text, the most important first; none for no band. */
export function bandLines(picture: Picture, column: Column, band: number, moment: Moment): string[] {
    if (band < 0) {
        return [];
    }
    const { label } = picture.sites[column.site[band]];
    const allocation = column.allocation[band];
    if (allocation < 0) {
        const below = band > 0 ? column.top[band - 1] : 0;
        return [`${label}: ${formatBytes(column.top[band] - below)}`];
    }
    const size = formatBytes(picture.allocations.bytes[allocation]);
    const total = formatBytes(moment.bySite[column.site[band]] ?? 0);
    return [`${label}: one block of ${size}`, life(picture, allocation), `${total} of this line`];
}

function life({ allocations }: Picture, allocation: number): string {
    const { born, died } = allocations;
    const start = born[allocation] < 0 ? "allocated before the recording" : `allocated at event ${formatCount(born[allocation])}`;
    return died[allocation] === NEVER ? `${start}, never freed` : `${start}, freed after ${counted(died[allocation] - born[allocation], "event")}`;
}

/** An allocation with its stack, cut where it is deep. */
export function allocationText(picture: Picture, lines: string[], allocation: number): string {
    const stack = stackLines(picture, allocation);
    const first = stack.slice(0, STACK_LINES).map((line) => `  ${line.slice(0, 300)}`);
    const more = stack.length > STACK_LINES ? [`  … ${counted(stack.length - STACK_LINES, "more frame")}`] : [];
    return [lines.slice(0, 2).join("\n"), ...first, ...more].join("\n");
}
