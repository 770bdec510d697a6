/** Who holds a finding: the owner, the path from it to memory or around a cycle, and the root reference. */
import type { AnalysisResult, Finding, FindingHolder, Held, Hop, JoinedDump } from "report";
import { inputName } from "../data/inputs";
import { attributes, element, section } from "../shared/dom";
import { capital, formatBytes, formatCount, sentence, shown, words } from "../shared/format";
import { cycleChart } from "./cycleChart";
import { referenceName, verdictText } from "./hops";
import { lineList } from "./lineList";

/** Hops that are shown at either end of a path. */
const END = 8;
const TEXT_CHARACTERS = 200;
const LISTED = 12;
/** Lines that are laid out as a list of objects and as a drawing instead. */
const DRAWN = ["path", "cycle"];

/** The holders of a finding, the first in full; null where no dump tells. */
export function holdersPart(finding: Finding): HTMLElement | null {
    if (finding.holders.length === 0) {
        return null;
    }
    const [first, ...others] = finding.holders;
    const further = others.map(({ lines: [owner] }) => element("p", "also", `And by ${shown(owner.text, TEXT_CHARACTERS)}.`));
    return element("div", "held", element("h4", "", "Held by"), ...holderParts(first), ...further);
}

/** The first line names the owner. */
function holderParts({ lines: [first, ...lines], path, cycle }: FindingHolder): (HTMLElement | null)[] {
    const owner = element("p", "owner", shown(first.text, 2 * TEXT_CHARACTERS));
    const facts = lineList(lines.filter(({ label }) => !DRAWN.includes(label)));
    if (cycle === null) {
        return [owner, pathList(path, "Path from the owner to memory", "root reference"), facts];
    }
    const figure = element("figure", "", cycleChart(cycle.hops), element("figcaption", "", sentence(cycle.sentence)));
    const around = element("div", "", pathList(cycle.hops, "Path around the cycle", "cut here"), closing(cycle.hops));
    return [owner, element("div", "beside", around, figure), facts];
}

/** The reference that closes a cycle, which mostly is the one to cut. */
function closing(hops: Hop[]): HTMLElement {
    const name = element("span", hops[0].suspect ? "reference suspect" : "reference", shown(referenceName(hops, 0), TEXT_CHARACTERS));
    return element("p", "path closing", name, hops[0].suspect ? "leads back to the first: cut it here." : "leads back to the first.");
}

/** The objects of a path, {@code name} for those who do not see it, {@code mark} beside each suspect reference. */
function pathList(hops: Hop[], name: string, mark: string): HTMLElement {
    const items = hops.map((hop, i) => pathItem(hop, i, mark));
    if (hops.length > 2 * END + 1) {
        items.splice(END, hops.length - 2 * END, element("li", "more", `${formatCount(hops.length - 2 * END)} more`));
    }
    return attributes(element("ol", "path", ...items), { "aria-label": name });
}

/** An object with the reference that leads to it; that to the first of a cycle comes from the last. */
function pathItem(hop: Hop, index: number, mark: string): HTMLLIElement {
    const reference = index > 0 && hop.label !== "" && element("span", hop.suspect ? "reference suspect" : "reference", shown(hop.label, TEXT_CHARACTERS));
    const marked = index > 0 && hop.suspect && element("span", "suspect-mark", mark);
    const verdict = verdictText(hop);
    return element("li", "", reference, marked, element("span", "object", shown(hop.text, TEXT_CHARACTERS)), verdict !== "" && element("span", `why ${hop.verdict === "stuck" ? "stuck" : ""}`, verdict));
}

/** What dumps say beside the findings; null where there are none. */
export function dumpSection(report: AnalysisResult): HTMLElement | null {
    if (report.dumps.length === 0) {
        return null;
    }
    const title = report.findings.some((finding) => finding.holders.length > 0) ? "Other owners" : "Owners";
    return section("holders", title, "", ...report.dumps.flatMap((dump) => dumpParts(dump, report)));
}

function dumpParts(dump: JoinedDump, report: AnalysisResult): (HTMLElement | null)[] {
    const name = shown(inputName(report, dump.inputs[dump.inputs.length - 1]), TEXT_CHARACTERS);
    const fit = dump.sentence === "" ? null : element("p", "input", sentence(`${name}: ${dump.sentence}`));
    const rest = dump.rest.length === 0 ? null : scrolled(restTable(dump.rest), `owners, ${name}`);
    const notes = dump.notes.map((note) => element("li", "", shown(dump.snapshot === null ? `${name}: ${note}` : note, 600)));
    return [fit, rest, notes.length === 0 ? null : element("ul", "", ...notes)];
}

/** A table that the keyboard can scroll where it is wider than the page. */
function scrolled(table: HTMLElement, name: string): HTMLElement {
    return attributes(element("div", "table", table), { tabindex: "0", role: "region", "aria-label": name });
}

function restTable(rest: Held[]): HTMLElement {
    const names = ["Owner", "Verdict", "Bytes", "Blocks", "Allocated at"];
    const head = element("tr", "", ...names.map((name, i) => attributes(element("th", i === 2 || i === 3 ? "number" : "", name), { scope: "col" })));
    const rows = rest.slice(0, LISTED).map((held) =>
        element(
            "tr",
            "",
            element("td", "", shown(held.title, TEXT_CHARACTERS)),
            element("td", "", capital(words(held.verdict)) + (held.reason === "" ? "" : `: ${shown(held.reason, TEXT_CHARACTERS)}`)),
            element("td", "number", formatBytes(held.bytes)),
            element("td", "number", formatCount(held.blocks)),
            element("td", "", held.site === null ? "" : shown(held.site.label, TEXT_CHARACTERS)),
        ),
    );
    return element("table", "", element("thead", "", head), element("tbody", "", ...rows));
}
