/** Who holds a finding: the owner, the way from it to memory or around a cycle, and the references to blame. */
import type { Finding, Held, Holder, Hop, JoinedDump, Report } from "../data/schema";
import { attributes, element, section } from "../shared/dom";
import { capital, counted, fileName, formatBytes, formatCount, shown, siteBrief, words } from "../shared/format";
import { cycleChart } from "./cycleChart";
import { backText, cycleText, ownerText, referenceName, verdictText } from "./holderText";

/** Hops that are shown at either end of a way. */
const END = 8;
const TEXT_CHARACTERS = 200;
const LISTED = 12;

/** The holders of a finding, the first in full; null where no dump tells. */
export function holdersPart(finding: Finding): HTMLElement | null {
    const holders = finding.holders ?? [];
    if (holders.length === 0) {
        return null;
    }
    const others = holders.slice(1).map((holder) => element("p", "also", `And by ${shown(ownerText(holder), TEXT_CHARACTERS)}.`));
    return element("div", "held", element("h4", "", "Held by"), ...first(holders[0]), ...others);
}

function first(holder: Holder): HTMLElement[] {
    const owner = element("p", "owner", shown(ownerText(holder), 2 * TEXT_CHARACTERS));
    const back = element("p", "back", backText(holder));
    if (holder.cycle === null) {
        return [owner, way(holder.path, "The way from the owner to memory"), back];
    }
    const { hops } = holder.cycle;
    const figure = element("figure", "", cycleChart(hops), element("figcaption", "", cycleText(holder.cycle)));
    const around = element("div", "", way(hops, "The way around the cycle"), again(hops));
    return [owner, element("div", "beside", around, figure), back];
}

/** The reference that closes a cycle, which mostly is the one to cut. */
function again(hops: Hop[]): HTMLElement {
    const name = element("span", hops[0].suspect ? "reference suspect" : "reference", shown(referenceName(hops, 0), TEXT_CHARACTERS));
    return element("p", "way again", name, hops[0].suspect ? "leads back to the first: cut it here." : "leads back to the first.");
}

function way(hops: Hop[], name: string): HTMLElement {
    const items = hops.map(item);
    if (hops.length > 2 * END + 1) {
        items.splice(END, hops.length - 2 * END, element("li", "more", `${formatCount(hops.length - 2 * END)} more`));
    }
    return attributes(element("ol", "way", ...items), { "aria-label": name });
}

/** An object with the reference that leads to it; that to the first of a cycle comes from the last. */
function item(hop: Hop, index: number): HTMLLIElement {
    const reference = index > 0 && hop.label !== "" && element("span", hop.suspect ? "reference suspect" : "reference", shown(hop.label, TEXT_CHARACTERS));
    const blamed = index > 0 && hop.suspect && element("span", "blamed", "to blame");
    const verdict = verdictText(hop);
    return element("li", "", reference, blamed, element("span", "object", shown(hop.text, TEXT_CHARACTERS)), verdict !== "" && element("span", `why ${hop.verdict === "stuck" ? "stuck" : ""}`, verdict));
}

/** What dumps say beside the findings; null where there are none. */
export function dumpSection(report: Report): HTMLElement | null {
    const dumps = report.dumps ?? [];
    if (dumps.length === 0) {
        return null;
    }
    const title = report.findings.some((finding) => (finding.holders ?? []).length > 0) ? "Who holds the rest" : "Who holds it";
    return section("holders", title, "", ...dumps.flatMap((dump) => parts(dump, report)));
}

function parts(dump: JoinedDump, report: Report): HTMLElement[] {
    const name = inputName(report, dump.inputs[dump.inputs.length - 1]);
    const fit = `${formatCount(dump.matched)} of ${counted(dump.storages, "storage")} of ${name} are blocks of ${inputName(report, dump.snapshot)}; of ${formatBytes(dump.bytes)} that were live then, ${formatBytes(dump.unseen_bytes)} are no tensor's.`;
    const notes = dump.notes.map((note) => element("li", "", shown(dump.snapshot === null ? `${name} is not joined: ${note}` : note, 600)));
    const made = dump.snapshot === null ? [] : [element("p", "input", fit)];
    if (dump.rest.length > 0) {
        made.push(element("div", "table", table(dump.rest)));
    }
    return notes.length === 0 ? made : [...made, element("ul", "", ...notes)];
}

function inputName(report: Report, input: number | null): string {
    return shown(fileName(report.inputs[input ?? -1]?.path ?? ""), TEXT_CHARACTERS);
}

function table(rest: Held[]): HTMLElement {
    const names = ["Holder", "Verdict", "Bytes", "Blocks", "Allocated at"];
    const head = element("tr", "", ...names.map((name, i) => attributes(element("th", i === 2 || i === 3 ? "number" : "", name), { scope: "col" })));
    const rows = rest.slice(0, LISTED).map((held) =>
        element(
            "tr",
            "",
            element("td", "", shown(held.title, TEXT_CHARACTERS)),
            element("td", "", capital(words(held.verdict)) + (held.reason === "" ? "" : `: ${shown(held.reason, TEXT_CHARACTERS)}`)),
            element("td", "number", formatBytes(held.bytes)),
            element("td", "number", formatCount(held.blocks)),
            element("td", "", held.site === null ? "" : shown(siteBrief(held.site), TEXT_CHARACTERS)),
        ),
    );
    return element("table", "", element("thead", "", head), element("tbody", "", ...rows));
}
