/** The head of the page: the verdict, what was found, what was acquitted, and what the recording could not tell. */
import type { Check, Device, Finding, Report } from "../data/schema";
import { element, section } from "../shared/dom";
import { capital, counted, fileName, formatBytes, located, shown, words } from "../shared/format";
import { coverageSentences } from "./coverage";
import { findingCard } from "./findingCard";

const WORDS: Record<string, string> = {
    leak: "Leak",
    reference_cycle: "Reference cycle",
    oom_fragmentation: "Out of memory, in pieces",
    oom: "Out of memory",
    no_leak: "No leak",
    undetermined: "Undetermined",
};

const SHOWN_ACQUITTALS = 12;

export function verdictHead(report: Report): HTMLElement {
    const hasFindings = report.findings.length > 0;
    const word = element("h1", hasFindings ? "found" : "clear", WORDS[report.verdict] ?? words(report.verdict));
    return element("div", "verdict", word, element("p", "reason", sentence(report.reason)));
}

/** A text that begins with a capital and ends with a stop. */
export function sentence(text: string): string {
    const begun = capital(text);
    return text === "" || /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** The figures of a device in one row. */
export function deviceFigures(device: Device, deviceBytes: number | null): HTMLElement {
    const { peak, steps } = device;
    const pairs: [string, string][] = [
        ["peak", formatBytes(peak?.bytes ?? 0)],
        ["reserved at the peak", formatBytes(peak?.reserved_bytes ?? 0)],
        ["live at the end", formatBytes(device.end_bytes)],
        ["steps", steps.count > 0 ? `${counted(steps.count, "step").replace(/ steps?$/, "")}` : "none found"],
    ];
    if (deviceBytes !== null) {
        pairs.splice(2, 0, ["device", formatBytes(deviceBytes)]);
    }
    const items = pairs.map(([name, value]) => element("div", "", element("dt", "", name), element("dd", "", value)));
    return element("dl", "strip", ...items);
}

/** The findings, most serious first; {@code owners} has for each the finding whose colour it has. */
export function findingCards(report: Report, owners: number[], find: (index: number) => (() => void) | null): HTMLElement | null {
    if (report.findings.length === 0) {
        return null;
    }
    const cards = report.findings.map((finding, i) => findingCard(finding, owners[i], stepsOf(report, finding), whereText(report, finding), find(i)));
    return section("findings", cards.length === 1 ? "Finding" : "Findings", "", ...cards);
}

function stepsOf(report: Report, finding: Finding): Device["steps"] | null {
    return report.devices.find((device) => device.input === finding.input && device.device === finding.device)?.steps ?? null;
}

function whereText(report: Report, finding: Finding): string {
    if (finding.site.kind === "figure") {
        return report.inputs.length > 1 ? fileName(report.inputs[finding.input]?.path ?? "") : "";
    }
    return report.devices.length > 1 ? deviceName(report, finding.input, finding.device) : "";
}

/** A device's name: with its input's where there are several. */
export function deviceName(report: Report, input: number, device: number): string {
    const path = report.inputs.length > 1 ? `${fileName(report.inputs[input]?.path ?? "")}, ` : "";
    return `${path}${device < 0 ? "host memory" : `device ${device}`}`;
}

export function acquittals(report: Report): HTMLElement | null {
    const all = report.acquittals ?? [];
    if (all.length === 0) {
        return null;
    }
    const items = all
        .slice(0, SHOWN_ACQUITTALS)
        .flatMap((acquittal) => [element("dt", "", words(acquittal.reason)), element("dd", "", shown(sentence(located(acquittal.text, acquittal.site)), 600))]);
    const more = all.length > SHOWN_ACQUITTALS ? element("p", "note", `${all.length - SHOWN_ACQUITTALS} more.`) : null;
    return section("acquittals", "What looks like a leak and is none", "", element("dl", "figures", ...items), more);
}

/** What the recordings could tell: coverage by device, inputs, and checks that did not apply. */
export function coverageSection(report: Report): HTMLElement {
    const made = section("coverage", "Coverage", "");
    report.inputs.forEach((input) => made.append(element("p", "input", inputText(input))));
    for (const device of report.devices) {
        const heading = report.devices.length > 1 ? element("h4", "", deviceName(report, device.input, device.device)) : null;
        const sentences = [...stepSentences(device), ...coverageSentences(device)];
        made.append(...[heading, element("ul", "", ...sentences.map((text) => element("li", "", text)))].filter((node) => node !== null));
    }
    const missing = missingChecks(report);
    if (missing.length > 0) {
        const items = missing.flatMap((check) => [element("dt", "", words(check.detector)), element("dd", "", shown(sentence(check.note), 600))]);
        made.append(element("h4", "", "Could not be checked"), element("dl", "figures", ...items));
    }
    return made;
}

/** Checks that did not apply; what is said of several devices is said once. */
function missingChecks(report: Report): Check[] {
    const missing = (report.checks ?? []).filter((check) => !check.applicable);
    return missing.filter((check, i) => missing.findIndex((other) => other.detector === check.detector && other.note === check.note) === i);
}

function inputText(input: Report["inputs"][number]): string {
    const torch = input.torch ? `, torch ${input.torch}` : "";
    const incomplete = input.incomplete === undefined ? "" : ` Incomplete: ${input.incomplete}`;
    return shown(`${input.path}: ${input.kind}, ${formatBytes(input.bytes)}${torch}.${incomplete}`, 600);
}

const ORIGINS: Record<string, string> = {
    annotation: ", as the recording marks it",
    recurrence: ", told by calls that come again and again",
    time: ", because nothing repeats",
};

function stepSentences({ steps }: Device): string[] {
    if (steps.count === 0) {
        return ["No steps were found: too little was recorded, or nothing repeats."];
    }
    const sentences = [`${counted(steps.count, "step")}; a step is ${steps.meaning}${ORIGINS[steps.kind] ?? ""}.`];
    if (steps.warm_up > 0) {
        sentences.push(`Warm-up ends with step ${steps.warm_up}: by then the memory that every step needs was there.`);
    }
    return sentences;
}
