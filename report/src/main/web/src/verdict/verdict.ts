/** The head of the page: the verdict, what was found, what was ruled out, and what the recordings cannot tell. */
import type { AnalysisResult, Check, DeviceResult, Finding, InputFile } from "report";
import { deviceName, hasSeveralRecordings, inputName } from "../data/inputs";
import { element, section } from "../shared/dom";
import { capital, formatBytes, formatCount, sentence, shown, words } from "../shared/format";
import { findingCard } from "./findingCard";

const SHOWN_ACQUITTALS = 12;

export function verdictHead(report: AnalysisResult): HTMLElement {
    if (report.leaks !== null) {
        return element("div", "verdict", element("h1", "sentence", report.headline), element("p", "reason", report.leaks));
    }
    const look = report.findings.length > 0 ? "found" : "clear";
    return element("div", "verdict", element("h1", look, capital(words(report.verdict))), element("p", "reason", sentence(report.reason)));
}

/** The figures of a device in one row. */
export function deviceFigures(device: DeviceResult, deviceBytes: number | null): HTMLElement {
    const { peak, steps } = device;
    const pairs: [string, string][] = [
        ["peak", formatBytes(peak.bytes)],
        ["reserved at the peak", formatBytes(peak.reserved_bytes)],
        ["live at the end", formatBytes(device.end_bytes)],
        ["steps", steps.kind === "annotation" || steps.kind === "recurrence" ? formatCount(steps.count) : "none found"],
    ];
    if (deviceBytes !== null) {
        pairs.splice(2, 0, ["device", formatBytes(deviceBytes)]);
    }
    const items = pairs.map(([name, value]) => element("div", "", element("dt", "", name), element("dd", "", value)));
    return element("dl", "strip", ...items);
}

/** The findings, most serious first; {@code owners} has for each the finding whose colour it has. */
export function findingCards(report: AnalysisResult, owners: number[], find: (index: number) => (() => void) | null): HTMLElement | null {
    if (report.findings.length === 0) {
        return null;
    }
    const cards = report.findings.map((finding, i) => findingCard(finding, owners[i], place(report, finding), find(i)));
    return section("findings", cards.length === 1 ? "Finding" : "Findings", "", ...cards);
}

/** Where a finding was made, if there are several places; figures name their device themselves. */
function place(report: AnalysisResult, finding: Finding): string {
    const hasSeveral = hasSeveralRecordings(report);
    if (finding.site.kind === "figure") {
        return hasSeveral ? inputName(report, finding.input) : "";
    }
    return hasSeveral || report.devices.length > 1 ? deviceName(report, finding.input, finding.device) : "";
}

export function acquittals(report: AnalysisResult): HTMLElement | null {
    const all = report.acquittals;
    if (all.length === 0) {
        return null;
    }
    const items = all.slice(0, SHOWN_ACQUITTALS).flatMap(({ reason, text }) => [element("dt", "", words(reason)), element("dd", "", shown(sentence(text), 600))]);
    const more = all.length > SHOWN_ACQUITTALS ? element("p", "note", `${all.length - SHOWN_ACQUITTALS} more.`) : null;
    return section("acquittals", "Ruled out", "", element("dl", "figures", ...items), more);
}

/** What would lower a device's peak, and whether it fits. */
export function leversSection({ levers, fit }: DeviceResult): HTMLElement | null {
    if (levers.length === 0 && !fit) {
        return null;
    }
    const items = levers.flatMap((lever) => [element("dt", "", lever.sentence), element("dd", "", sentence(lever.advice))]);
    const fits = fit ? [element("p", "", sentence(`an estimate: ${fit.sentence}`))] : [];
    return section("levers", "What would lower the peak", "Each alone; together they may save less.", element("dl", "levers", ...items), ...fits);
}

/** What the recordings can and cannot tell: inputs, steps and coverage by device, and checks that did not apply. */
export function coverageSection(report: AnalysisResult): HTMLElement {
    const made = section("coverage", "Coverage", "", ...report.inputs.map((input) => element("p", "input", inputText(input))));
    for (const device of report.devices) {
        const heading = report.devices.length > 1 ? [element("h3", "part", deviceName(report, device.input, device.device))] : [];
        const sentences = [...device.steps.sentences, ...device.sentences];
        made.append(...heading, element("ul", "", ...sentences.map((text) => element("li", "", text))));
    }
    const missing = missingChecks(report);
    if (missing.length > 0) {
        const items = missing.flatMap((check) => [element("dt", "", words(check.detector)), element("dd", "", shown(sentence(check.note), 600))]);
        made.append(element("h3", "part", "Not checked"), element("dl", "figures", ...items));
    }
    return made;
}

/** Checks that did not apply; what is said of several devices is said once. */
function missingChecks(report: AnalysisResult): Check[] {
    const missing = report.checks.filter((check) => !check.applicable);
    return missing.filter((check, i) => missing.findIndex((other) => other.detector === check.detector && other.note === check.note) === i);
}

function inputText(input: InputFile): string {
    const torch = input.torch === null ? "" : `, torch ${input.torch}`;
    const incomplete = input.incomplete === null ? "" : ` Incomplete: ${input.incomplete}`;
    return shown(`${input.path}: ${input.kind}, ${formatBytes(input.bytes)}${torch}.${incomplete}`, 600);
}
