/** Columns of tables, by what they hold. */
import type { TableColumn } from "../data/table";
import { formatBytes, formatCount } from "../shared/format";

export function bytesColumn<Row>(name: string, value: (row: Row) => number): TableColumn<Row> {
    return { name, isNumber: true, value, text: (row) => (Number.isNaN(value(row)) ? "" : formatBytes(value(row))) };
}

export function countColumn<Row>(name: string, value: (row: Row) => number): TableColumn<Row> {
    return { name, isNumber: true, value, text: (row) => (Number.isNaN(value(row)) ? "" : formatCount(value(row))) };
}

export function textColumn<Row>(name: string, value: (row: Row) => string): TableColumn<Row> {
    return { name, isNumber: false, value, text: value };
}
