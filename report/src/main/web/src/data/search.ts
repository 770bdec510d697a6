/** Any array of numbers in ascending order. */
export type Ascending = ArrayLike<number>;

/** The index of the last entry at or below a value; -1 where all are above. */
export function lastAtOrBelow(values: Ascending, value: number): number {
    let low = 0;
    let high = values.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (values[middle] <= value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - 1;
}

/** Where a value lies among ascending ones, in fractions of an index, kept within their range. */
export function fractionalIndex(values: Ascending, value: number): number {
    const index = lastAtOrBelow(values, value);
    if (index < 0) {
        return 0;
    }
    if (index >= values.length - 1) {
        return values.length - 1;
    }
    const width = values[index + 1] - values[index];
    return width > 0 ? index + (value - values[index]) / width : index;
}

/** The value at a fractional index, by straight lines between entries. */
export function interpolate(values: Ascending, index: number): number {
    const whole = Math.min(Math.max(Math.floor(index), 0), values.length - 1);
    const next = Math.min(whole + 1, values.length - 1);
    return values[whole] + (values[next] - values[whole]) * Math.min(Math.max(index - whole, 0), 1);
}
