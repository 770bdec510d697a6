/** The shapes of figures over time or steps in a report: its properties series, gaps and agreements. */

export interface Point {
    position: number;
    value: number;
}

export interface Series {
    input: number;
    name: string;
    source: string;
    quantity: string;
    unit: string;
    /** What positions are: time (Unix microseconds), elapsed (microseconds), step, epoch or index. */
    axis: string;
    device: number;
    points: number;
    first: Point;
    last: Point;
    peak: Point;
    floor: number;
    shape: string;
    reason: string;
    trend: { per_unit: number; low: number; high: number; from: number; to: number } | null;
    curve: Band[];
}

/** A stretch of a figure: where it begins, its lowest and its highest value. */
export interface Band {
    position: number;
    low: number;
    high: number;
}

export interface Gap {
    device: number;
    outer_series: number;
    inner_series: number;
    used_bytes: number;
    parts: { kind: string; bytes: number; text: string }[];
    text: string;
}

export interface Agreement {
    agreed: boolean;
    text: string;
}
