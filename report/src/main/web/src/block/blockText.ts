/** A block in words. */
import { NEVER, type Allocations } from "../data/allocations";
import { counted, formatBytes, formatCount } from "../shared/format";
import type { Picture } from "../data/picture";

/** A block's line and size, then how long it lives, and where it lies. */
export function blockLines({ sites }: Pick<Picture, "sites">, allocations: Allocations, row: number): string[] {
    const { label } = sites[allocations.site[row]];
    return [`${label}: one block of ${formatBytes(allocations.bytes[row])}`, life(allocations, row), `address ${hexadecimal(allocations.address[row])}`];
}

export function hexadecimal(address: number): string {
    return `0x${address.toString(16)}`;
}

function life({ born, died }: Allocations, row: number): string {
    const start = born[row] < 0 ? "allocated before the recording" : `allocated at event ${formatCount(born[row])}`;
    if (died[row] === NEVER) {
        return `${start}, never freed`;
    }
    const end = born[row] < 0 ? `at event ${formatCount(died[row])}` : `after ${counted(died[row] - born[row], "event")}`;
    return `${start}, freed ${end}`;
}
