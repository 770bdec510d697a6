/* What stands above one column of pixels, from the bottom up. */
export interface Column {
    /** What filled the column, and its name for what it filled in: the same again need not be filled again. */
    source: object | null;
    key: number;
    /** The event after which it stood like this. */
    event: number;
    count: number;
    /** Bytes at the upper edge of each band. */
    top: Float64Array;
    /** The site of each band; {@code sites.length} stands for allocations too small to have a band. */
    site: Int32Array;
    /** The allocation of each band; -1 where it is several. */
    allocation: Int32Array;
}
