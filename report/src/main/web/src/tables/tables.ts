/** The tables of one device: lines at the peak, allocations, segments, findings. */
import type { DeviceResult, Finding, ModuleUse, Share, SiteUse, Use } from "report";
import { layoutAt, type Segment } from "../data/layout";
import { NEVER } from "../data/allocations";
import type { Picture } from "../data/picture";
import type { Annotation } from "../data/schema";
import type { TableColumn } from "../data/table";
import { attributes, button, element, section } from "../shared/dom";
import { formatCount, words } from "../shared/format";
import { segmentNote, useOf, type SegmentUse } from "../segments/space";
import { bytesColumn, countColumn, shareColumn, textColumn } from "./columns";
import { TableView } from "./tableView";

export function tables(picture: Picture, device: DeviceResult, findings: Finding[]): HTMLElement {
    const makers: [string, () => HTMLElement][] = [
        ["Lines at the peak", () => sitesTable(device.peak.by_site, device.peak.sites)],
        ...partTables(device),
        ["Allocations", () => allocationsTable(picture)],
    ];
    if (picture.segments.length > 0) {
        makers.push(["Segments at the end", () => segmentsTable(picture)]);
    }
    makers.push(["Findings", () => findingsTable(findings)]);
    if (picture.annotations.length > 0) {
        makers.push(["Ranges", () => rangesTable(picture.annotations)]);
    }
    return section("tables", "Tables", "", tabs(makers));
}

type Part = Use | Share | ModuleUse;

/** What is known beside lines of code. */
function partTables({ peak }: DeviceResult): [string, () => HTMLElement][] {
    const all: [string, string, Part[]][] = [
        ["By use (estimate)", "Use", peak.by_category],
        ["By operator", "Operator", peak.by_operator],
        ["By module", "Module", peak.by_module],
    ];
    return all.filter(([, , parts]) => parts.length > 0).map(([title, column, parts]) => [title, () => partsTable(title, column, parts)]);
}

/** Tabs with one panel; a panel is made when it is first shown. */
function tabs(makers: [string, () => HTMLElement][]): HTMLElement {
    const panel = attributes(element("div", "panel"), { role: "tabpanel", id: "table-panel" });
    const made: HTMLElement[] = [];
    const show = (index: number) => {
        made[index] ??= makers[index][1]();
        panel.replaceChildren(made[index]);
        buttons.forEach((tab, i) => attributes(tab, { "aria-selected": String(i === index), tabindex: i === index ? 0 : -1 }));
        panel.setAttribute("aria-label", makers[index][0]);
    };
    const buttons = makers.map(([name], i) => attributes(button(name, () => show(i)), { role: "tab", "aria-controls": "table-panel" }));
    const list = attributes(element("div", "tabs", ...buttons), { role: "tablist", "aria-label": "Tables" });
    list.addEventListener("keydown", (event) => moveTab(event, buttons));
    show(0);
    return element("div", "", list, panel);
}

function moveTab(event: KeyboardEvent, buttons: HTMLButtonElement[]): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = buttons[buttons.indexOf(event.target as HTMLButtonElement) + (step ?? NaN)];
    if (next !== undefined) {
        event.preventDefault();
        next.focus();
        next.click();
    }
}

function nameOf(part: Part): string {
    const category = "category" in part ? words(part.category) : "";
    return "name" in part ? [part.name, category].filter(Boolean).join(", ") : category;
}

function partsTable(title: string, column: string, parts: Part[]): HTMLElement {
    const held = bytesColumn<Part>("Held", (part) => part.bytes);
    const columns: TableColumn<Part>[] = [
        textColumn(column, nameOf),
        held,
        shareColumn("Share", (part) => part.share),
        countColumn("Blocks", (part) => part.blocks),
    ];
    return new TableView(title, parts, columns, held).root;
}

function sitesTable(sites: SiteUse[], all: number): HTMLElement {
    const held = bytesColumn<SiteUse>("Held", (site) => site.bytes);
    const columns: TableColumn<SiteUse>[] = [
        textColumn("Line", (site) => site.label),
        textColumn("Kind", (site) => words(site.kind)),
        held,
        shareColumn("Share", (site) => site.share),
        countColumn("Blocks", (site) => site.blocks),
    ];
    if (sites.some((site) => site.requested_bytes !== null)) {
        columns.splice(4, 0, bytesColumn("Requested", (site) => site.requested_bytes));
    }
    const table = new TableView("Lines at the peak", sites, columns, held).root;
    return noted(all - sites.length, sites.length, "lines, the largest", table);
}

/** A table with a note of how many of all it has, where some are left out. */
function noted(omitted: number, shown: number, what: string, table: HTMLElement): HTMLElement {
    return omitted > 0 ? element("div", "", element("p", "note", `${formatCount(shown)} of ${formatCount(shown + omitted)} ${what}.`), table) : table;
}

function allocationsTable(picture: Picture): HTMLElement {
    const { stored: allocations, events, sites, calls, frames } = picture;
    const rows = Array.from({ length: allocations.count }, (_, i) => i);
    const end = (row: number) => Math.min(allocations.died[row], events);
    const innermost = (row: number) => {
        const [file, line, name] = frames[calls.frame[allocations.call[row]]] ?? ["", 0, ""];
        return file === "" ? name : `${file}:${line} ${name}`;
    };
    const lifetime: TableColumn<number> = countColumn("Lifetime, events", (row) => end(row) - Math.max(allocations.born[row], 0));
    const bytes = bytesColumn<number>("Size", (row) => allocations.bytes[row]);
    const columns: TableColumn<number>[] = [
        bytes,
        { name: "Allocated", isNumber: true, value: (row) => allocations.born[row], text: (row) => (allocations.born[row] < 0 ? "before" : formatCount(allocations.born[row])) },
        {
            name: "Freed",
            isNumber: true,
            value: (row) => allocations.died[row],
            text: (row) => (allocations.died[row] === NEVER ? "never" : formatCount(allocations.died[row])),
        },
        lifetime,
        textColumn("Line", (row) => sites[allocations.site[row]]?.label ?? ""),
        textColumn("Innermost frame", innermost),
    ];
    return noted(picture.omittedAllocations, rows.length, "allocations, those that live at a stored moment", new TableView("Allocations", rows, columns, bytes).root);
}

function segmentsTable(picture: Picture): HTMLElement {
    const rows = layoutAt(picture, picture.events - 1).map((segment) => ({ segment, use: useOf(segment) }));
    type Row = { segment: Segment; use: SegmentUse };
    const size = bytesColumn<Row>("Size", ({ segment }) => segment.bytes);
    const columns: TableColumn<Row>[] = [
        textColumn("Address", ({ segment }) => segment.address),
        textColumn("Kind", ({ segment }) => segmentNote(segment)),
        size,
        bytesColumn("Live", ({ use }) => use.live),
        bytesColumn("Pending free", ({ use }) => use.pending),
        bytesColumn("Free", ({ use }) => use.free),
        bytesColumn("Largest hole", ({ use }) => use.largestHole),
        countColumn("Blocks", ({ segment }) => segment.blocks.state.length),
    ];
    return new TableView("Segments", rows, columns, size).root;
}

function rangesTable(annotations: Annotation[]): HTMLElement {
    const events = countColumn<Annotation>("Events", (range) => range.to - range.from);
    const columns = [textColumn<Annotation>("Range", (range) => range.name), countColumn<Annotation>("From event", (range) => range.from), countColumn<Annotation>("To event", (range) => range.to), events];
    return new TableView("Ranges", annotations, columns, events).root;
}

function findingsTable(findings: Finding[]): HTMLElement {
    const columns: TableColumn<Finding>[] = [
        textColumn("Severity", (finding) => finding.severity),
        textColumn("Finding", (finding) => finding.title),
        textColumn("Line", (finding) => finding.site.label),
        bytesColumn("Held", (finding) => finding.bytes),
        countColumn("Blocks", (finding) => finding.blocks),
        bytesColumn("Per step", (finding) => finding.bytes_per_step),
        shareColumn("Confidence", (finding) => finding.confidence),
        textColumn("Id", (finding) => finding.id),
    ];
    return new TableView("Findings", findings, columns, null).root;
}
