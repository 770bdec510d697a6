import { asText, filteredRows, sortedRows, type Direction, type TableColumn } from "../data/table";
import { copyButton } from "../shared/clipboard";
import { attributes, button, element, searchField } from "../shared/dom";
import { counted, shown, titleText } from "../shared/format";

const FIRST_ROWS = 50;
const MORE_ROWS = 500;

/** A table that can be sorted, filtered and copied. Shows its first rows, and more on demand. */
export class TableView<Row> {
    readonly root: HTMLElement;
    private readonly body = element("tbody");
    private readonly count = attributes(element("span", "result"), { role: "status" });
    private readonly more: HTMLButtonElement;
    private readonly headers: HTMLTableCellElement[];
    private direction: Direction = "descending";
    private filter = "";
    private limit = FIRST_ROWS;
    private visible: Row[] = [];

    constructor(
        name: string,
        private readonly rows: Row[],
        private readonly columns: TableColumn<Row>[],
        private sortedBy: TableColumn<Row> | null,
    ) {
        this.headers = columns.map((column) => this.header(column));
        this.more = button("Show more", () => this.showMore());
        const filter = searchField("Filter", (text) => this.filterBy(text));
        const bar = element("div", "toolbar", filter, copyButton("Copy as text", () => asText(this.visible, columns)), this.count);
        const table = attributes(element("table", "", element("thead", "", element("tr", "", ...this.headers)), this.body), { "aria-label": name });
        this.root = element("div", "", bar, element("div", "table", table), this.more);
        this.update();
    }

    private header(column: TableColumn<Row>): HTMLTableCellElement {
        const cell = element("th", column.isNumber ? "number" : "", button(column.name, () => this.sort(column)));
        return attributes(cell, { scope: "col" });
    }

    private sort(column: TableColumn<Row>): void {
        const isFirst = this.sortedBy !== column;
        const preferred: Direction = column.isNumber ? "descending" : "ascending";
        const other: Direction = this.direction === "ascending" ? "descending" : "ascending";
        this.direction = isFirst ? preferred : other;
        this.sortedBy = column;
        this.update();
    }

    private filterBy(text: string): void {
        this.filter = text;
        this.limit = FIRST_ROWS;
        this.update();
    }

    private showMore(): void {
        this.limit += MORE_ROWS;
        this.update();
    }

    private update(): void {
        const filtered = filteredRows(this.rows, this.columns, this.filter);
        this.visible = this.sortedBy === null ? filtered : sortedRows(filtered, this.sortedBy, this.direction);
        this.columns.forEach((column, i) => attributes(this.headers[i], { "aria-sort": column === this.sortedBy ? this.direction : null }));
        this.body.replaceChildren(...this.visible.slice(0, this.limit).map((row) => this.row(row)));
        this.more.hidden = this.visible.length <= this.limit;
        const total = counted(this.rows.length, "row");
        this.count.textContent = this.visible.length === this.rows.length ? total : `${this.visible.length} of ${total}`;
    }

    private row(row: Row): HTMLElement {
        return element("tr", "", ...this.columns.map((column) => this.cell(column, row)));
    }

    private cell(column: TableColumn<Row>, row: Row): HTMLElement {
        const text = column.text(row);
        const cell = element("td", column.isNumber ? "number" : "", shown(text, 120));
        return text.length > 40 ? attributes(cell, { title: titleText(text) }) : cell;
    }
}
