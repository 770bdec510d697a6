import assert from "node:assert/strict";
import { test } from "node:test";
import { asText, filteredRows, sortedRows, type TableColumn } from "../../main/web/src/data/table";

interface Row {
    name: string;
    bytes: number;
}

const NAME: TableColumn<Row> = { name: "Line", isNumber: false, value: (row) => row.name, text: (row) => row.name };
const BYTES: TableColumn<Row> = { name: "Held", isNumber: true, value: (row) => row.bytes, text: (row) => `${row.bytes} B` };
const ROWS: Row[] = [
    { name: "train.py:41 step", bytes: 300 },
    { name: "model.py:7 forward", bytes: 1700 },
    { name: "train.py:9 main", bytes: 300 },
    { name: "data.py:3 load", bytes: NaN },
];
const names = (rows: Row[]) => rows.map((row) => row.name.split(":")[0]);

test("rows sort by a column, rows alike keep their order, no number comes last or first", () => {
    assert.deepEqual(names(sortedRows(ROWS, BYTES, "ascending")), ["train.py", "train.py", "model.py", "data.py"]);
    assert.deepEqual(sortedRows(ROWS, BYTES, "ascending")[0].name, "train.py:41 step");
    assert.deepEqual(names(sortedRows(ROWS, NAME, "ascending")), ["data.py", "model.py", "train.py", "train.py"]);
});

test("every word of a filter must occur, in whatever column", () => {
    assert.deepEqual(names(filteredRows(ROWS, [NAME, BYTES], "TRAIN 300")), ["train.py", "train.py"]);
    assert.deepEqual(names(filteredRows(ROWS, [NAME, BYTES], "train forward")), []);
    assert.equal(filteredRows(ROWS, [NAME], "  "), ROWS);
});

test("text has numbers in full and one line a row", () => {
    const rows = [{ name: "a\tb\nc", bytes: 48934787.5 }];
    assert.equal(asText(rows, [NAME, BYTES]), "Line\tHeld\na b c\t48934787.5");
});
