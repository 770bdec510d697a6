/** What was seen of each process from inside: its memory on the host, what only the garbage collector freed, the functions that it profiles. */
import type { AnalysisResult, HostMemory, HostMemoryPart, JobProcess, ProfiledFunction } from "report";
import type { TableColumn } from "../data/table";
import { element, section } from "../shared/dom";
import { counted, formatBytes, sentence, shown, words } from "../shared/format";
import { bytesColumn, countColumn, spanColumn, textColumn } from "../tables/columns";
import { TableView } from "../tables/tableView";

const MICROS = 1e6;
const LONGEST = 600;

export function processSections(report: AnalysisResult): HTMLElement[] {
    return report.process.map((process) => {
        const { host } = process;
        const note = host === null ? "" : `${formatBytes(host.bytes)} of the host's memory`;
        return section(`process-${process.pid}`, `Process ${process.pid}`, note, ...(host === null ? [] : hostParts(host)), collected(process), functions(process.functions));
    });
}

function hostParts(host: HostMemory): (HTMLElement | null)[] {
    const grown = bytesColumn<HostMemoryPart>("Grows per second", (part) => part.growth_per_second);
    const bytes = bytesColumn<HostMemoryPart>("Bytes", (part) => part.bytes);
    const columns: TableColumn<HostMemoryPart>[] = [textColumn("Used for", (part) => words(part.kind)), bytes, grown];
    const tried = host.experiments.map(({ name, returned }) =>
        element("p", "note", `Tried ${shown(name, LONGEST)}: ${returned === 0 ? "nothing came back" : `${formatBytes(returned)} came back, and was not in use`}`),
    );
    const advice = host.advice.map((text) => element("li", "", shown(text, LONGEST)));
    return [
        element("p", "", shown(sentence(host.sentence), LONGEST)),
        advice.length === 0 ? null : element("div", "advice", element("h3", "", "What to do"), element("ol", "", ...advice)),
        host.parts.length === 0 ? null : new TableView("What it is used for", host.parts, columns, bytes).root,
        ...tried,
        element("p", "note", `Unexplained: ${host.unexplained < 0 ? "-" : ""}${formatBytes(Math.abs(host.unexplained))}`),
    ];
}

function collected({ collected: freed }: JobProcess): HTMLElement | null {
    if (freed === null) {
        return null;
    }
    const text = `Freed only by the garbage collector: ${formatBytes(freed.bytes)} in ${counted(freed.collections, "collection")}`;
    const cycles = freed.cycles.map(({ cycle, leads_to: end }) => element("li", "", shown(`${cycle}, which leads to ${end}`, LONGEST)));
    return element("div", "", element("p", "", text), cycles.length > 0 && element("ul", "", ...cycles));
}

function functions(all: ProfiledFunction[]): HTMLElement | null {
    if (all.length === 0) {
        return null;
    }
    const peak = bytesColumn<ProfiledFunction>("Peak", (one) => one.peak_bytes);
    const columns: TableColumn<ProfiledFunction>[] = [
        textColumn("Function", (one) => one.name || "(no name)"),
        countColumn("Calls", (one) => one.calls),
        countColumn("Raised an error", (one) => one.raised),
        spanColumn("Longest", (one) => (one.longest_seconds ?? NaN) * MICROS),
        peak,
        bytesColumn("Its own", (one) => one.most_bytes),
        bytesColumn("Keeps", (one) => one.kept_bytes),
    ];
    return new TableView("Profiled functions", all, columns, peak).root;
}
