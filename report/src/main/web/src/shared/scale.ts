/** A straight line from a domain to pixels. */
export interface Scale {
    from: number;
    to: number;
    start: number;
    end: number;
}

export function toPixel(scale: Scale, value: number): number {
    return scale.start + ((value - scale.from) / (scale.to - scale.from)) * (scale.end - scale.start);
}

export function toValue(scale: Scale, pixel: number): number {
    return scale.from + ((pixel - scale.start) / (scale.end - scale.start)) * (scale.to - scale.from);
}

/** Round values between two others, about so many, in steps of 1, 2 or 5 times a power of ten. */
export function decimalTicks(from: number, to: number, about: number): number[] {
    const rough = (to - from) / Math.max(about, 1);
    const power = 10 ** Math.floor(Math.log10(rough));
    const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
    return multiples(factor * power, from, to);
}

/** Round sizes between two others: steps that are powers of two, so that labels stay short in binary units. */
export function byteTicks(from: number, to: number, about: number): number[] {
    const rough = (to - from) / Math.max(about, 1);
    return multiples(2 ** Math.ceil(Math.log2(Math.max(rough, 1))), from, to);
}

/** Whole numbers only; for counts such as events and steps. */
export function countTicks(from: number, to: number, about: number): number[] {
    return decimalTicks(from, to, Math.min(about, Math.max(to - from, 1))).filter(Number.isInteger);
}

function multiples(step: number, from: number, to: number): number[] {
    if (!(step > 0) || !(to > from) || (to - from) / step > 1000) {
        return [];
    }
    const ticks = [];
    for (let k = Math.ceil(from / step); k * step <= to; k++) {
        ticks.push(k * step);
    }
    return ticks;
}

/** A part of a whole that a view shows. */
export interface Range {
    from: number;
    to: number;
}

/** A range moved and cut so that it lies within a whole and is not narrower than a minimum. */
export function clampRange(range: Range, whole: Range, narrowest: number): Range {
    const width = Math.min(Math.max(range.to - range.from, narrowest), whole.to - whole.from);
    const middle = (range.from + range.to) / 2;
    const from = Math.min(Math.max(middle - width / 2, whole.from), whole.to - width);
    return { from, to: from + width };
}

/** A range made wider (factor above 1) or narrower around a value that keeps its place. */
export function zoomRange(range: Range, around: number, factor: number): Range {
    return { from: around - (around - range.from) * factor, to: around + (range.to - around) * factor };
}
