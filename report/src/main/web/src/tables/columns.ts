/** Columns of tables, by what they hold; what is not known is NaN or null, and leaves its cell empty. */
import type { TableColumn } from "../data/table";
import { formatBytes, formatCount, formatPercent, formatSpan } from "../shared/format";

type Value<Row> = (row: Row) => number | null;

export function bytesColumn<Row>(name: string, value: Value<Row>): TableColumn<Row> {
    return numberColumn(name, value, formatBytes);
}

export function countColumn<Row>(name: string, value: Value<Row>): TableColumn<Row> {
    return numberColumn(name, value, formatCount);
}

export function shareColumn<Row>(name: string, value: Value<Row>): TableColumn<Row> {
    return numberColumn(name, value, formatPercent);
}

/** A span of microseconds. */
export function spanColumn<Row>(name: string, value: Value<Row>): TableColumn<Row> {
    return numberColumn(name, value, formatSpan);
}

function numberColumn<Row>(name: string, value: Value<Row>, format: (value: number) => string): TableColumn<Row> {
    const known = (row: Row) => value(row) ?? NaN;
    return { name, isNumber: true, value: known, text: (row) => (Number.isNaN(known(row)) ? "" : format(known(row))) };
}

export function textColumn<Row>(name: string, value: (row: Row) => string): TableColumn<Row> {
    return { name, isNumber: false, value, text: value };
}
