/** What may stand in a column of single allocations. */
import { NEVER } from "../data/allocations";
import type { Picture } from "../data/picture";

/** What may stand in a column, bottom first: single allocations, or several that are live throughout (allocation -1). */
export class Items {
    readonly born: number[] = [];
    readonly died: number[] = [];
    readonly bytes: number[] = [];
    readonly site: number[] = [];
    readonly allocation: number[] = [];
    /** The rows of the allocations that an item is. */
    readonly rows: number[][] = [];

    add(born: number, died: number, bytes: number, site: number, allocation: number, row: number): void {
        this.born.push(born);
        this.died.push(died);
        this.bytes.push(bytes);
        this.site.push(site);
        this.allocation.push(allocation);
        this.rows.push([row]);
    }

    /** Adds to the last item where that is of the same site and several already; else begins such an item. */
    addSmall(bytes: number, site: number, row: number): void {
        const last = this.bytes.length - 1;
        if (last >= 0 && this.site[last] === site && this.allocation[last] === -1) {
            this.bytes[last] += bytes;
            this.rows[last].push(row);
        } else {
            this.add(-1, NEVER, bytes, site, -1, row);
        }
    }
}

/** The allocations that are live somewhere between two events, by the order of their sites, then of birth. */
export function visibleAllocations(picture: Picture, from: number, to: number): number[] {
    const { allocations, order, sites } = picture;
    const bySite: number[][] = sites.map(() => []);
    for (let i = 0; i < allocations.count && allocations.born[i] < to; i++) {
        if (allocations.died[i] > from) {
            bySite[allocations.site[i]]?.push(i);
        }
    }
    return order.flatMap((site) => bySite[site]);
}
