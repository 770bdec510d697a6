/** What a table shows: values to sort by, texts to read. */
export interface TableColumn<Row> {
    name: string;
    isNumber: boolean;
    value(row: Row): number | string;
    text(row: Row): string;
}

export type Direction = "ascending" | "descending";

/** Rows in the order of a column's values; rows alike keep their order. */
export function sortedRows<Row>(rows: Row[], column: TableColumn<Row>, direction: Direction): Row[] {
    const sign = direction === "ascending" ? 1 : -1;
    const keyed = rows.map((row, index) => ({ row, index, value: column.value(row) }));
    keyed.sort((a, b) => sign * compare(a.value, b.value) || a.index - b.index);
    return keyed.map(({ row }) => row);
}

/** Numbers by size, texts by letter; what is no number comes last. */
function compare(a: number | string, b: number | string): number {
    if (typeof a === "number" && typeof b === "number") {
        return Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : a - b;
    }
    const left = String(a);
    const right = String(b);
    return left < right ? -1 : left > right ? 1 : 0;
}

/** The rows in which every word of a filter occurs, in any column. */
export function filteredRows<Row>(rows: Row[], columns: TableColumn<Row>[], filter: string): Row[] {
    const wanted = filter.toLowerCase().split(/\s+/).filter((word) => word !== "");
    if (wanted.length === 0) {
        return rows;
    }
    return rows.filter((row) => {
        const text = columns.map((column) => column.text(row)).join(" ").toLowerCase();
        return wanted.every((word) => text.includes(word));
    });
}

/** Rows as tab-separated text, numbers in full, one line a row. */
export function asText<Row>(rows: Row[], columns: TableColumn<Row>[]): string {
    const lines = rows.map((row) => columns.map((column) => oneCell(column.value(row))).join("\t"));
    return [columns.map((column) => oneCell(column.name)).join("\t"), ...lines].join("\n");
}

function oneCell(value: number | string): string {
    return (typeof value === "number" && Number.isNaN(value) ? "" : String(value)).replace(/[\t\r\n]+/g, " ");
}
