/** Allocations as columns. */
import { floats, ints, sums } from "./decode";
import type { AllocationsJson } from "./schema";
import { lastAtOrBelow } from "./search";

/** The value of {@code died} for what was never freed. */
export const NEVER = 2147483647;
/** The event before the first. */
export const BEFORE = -1;

/** Allocations, in order of birth. */
export interface Allocations {
    count: number;
    born: Int32Array;
    died: Int32Array;
    /** The event from which on a block only waits for other streams. */
    released: Int32Array;
    bytes: Float64Array;
    address: Float64Array;
    site: Int32Array;
    /** The call that made it. */
    call: Int32Array;
}

/** What a block is told by, whatever row it has: no event makes two, and no two of before the recording have one address. */
export interface BlockName {
    born: number;
    address: number;
}

export function decodeAllocations(columns: AllocationsJson): Allocations {
    const born = Int32Array.from(sums(columns.born));
    return {
        count: born.length,
        born,
        died: Int32Array.from(columns.life, (life, i) => (life === 0 ? NEVER : born[i] + life)),
        released: Int32Array.from(columns.released, (life, i) => (life === 0 ? NEVER : born[i] + life - 1)),
        bytes: floats(columns.bytes),
        address: floats(columns.address),
        site: ints(columns.site),
        call: ints(columns.call),
    };
}

/** The row of a block; -1 where it is not among them. */
export function rowOf({ born, address }: Allocations, block: BlockName | null): number {
    for (let row = block === null ? -1 : lastAtOrBelow(born, block.born); row >= 0 && born[row] === block?.born; row--) {
        if (address[row] === block.address) {
            return row;
        }
    }
    return -1;
}

export function nameOf({ born, address }: Allocations, row: number): BlockName {
    return { born: born[row], address: address[row] };
}

/** Allocations and others, in order of birth. An allocation that is among both counts once; none of the others is from before the recording. */
export function joined(first: Allocations, others: Allocations): Allocations {
    const rows = new Int32Array(first.count + others.count);
    let count = 0;
    let other = 0;
    for (let row = 0; row < first.count; row++) {
        for (; other < others.count && others.born[other] < first.born[row]; other++) {
            rows[count++] = first.count + other;
        }
        other += others.born[other] === first.born[row] ? 1 : 0;
        rows[count++] = row;
    }
    for (; other < others.count; other++) {
        rows[count++] = first.count + other;
    }
    return picked(first, others, rows.subarray(0, count));
}

/** The rows of both, one after the other, that are named. */
function picked(first: Allocations, others: Allocations, rows: Int32Array): Allocations {
    const from = (column: keyof Omit<Allocations, "count">) => (row: number) => (row < first.count ? first[column][row] : others[column][row - first.count]);
    const int = (column: keyof Omit<Allocations, "count">) => rows.map(from(column));
    return {
        count: rows.length,
        born: int("born"),
        died: int("died"),
        released: int("released"),
        bytes: Float64Array.from(rows, from("bytes")),
        address: Float64Array.from(rows, from("address")),
        site: int("site"),
        call: int("call"),
    };
}
