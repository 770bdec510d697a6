import type { Advice, Finding } from "report";
import { copyButton } from "../shared/clipboard";
import { append, attributes, button, element } from "../shared/dom";
import { capital, formatBytes, sentence, shown, titleText, words } from "../shared/format";
import { findingText, safety, sureness } from "./findingText";
import { growthChart } from "./growthChart";
import { holdersPart } from "./holders";
import { lineList } from "./lineList";

const SOURCE_CHARACTERS = 300;

/** Everything about a finding, in the colour with a number. {@code find} shows its line in the timeline; null where no picture has it. */
export function findingCard(finding: Finding, colour: number, place: string, find: (() => void) | null): HTMLElement {
    const { label } = finding.site;
    const title = element("h3", "", element("span", `severity ${finding.severity}`, words(finding.severity)), capital(finding.title || words(finding.kind)));
    const site = attributes(element("p", "site", shown(label, 300)), { title: titleText(label) });
    const chart = growthChart(finding);
    const facts = element("div", "facts", place !== "" && element("p", "where", place), element("p", "summary", capital(finding.summary)), finding.explanation !== null && element("p", "summary", finding.explanation.text), lineList(finding.lines));
    const card = element("article", `finding f${colour % 4}`, title, site, source(finding), element("div", chart === null ? "alone" : "beside", facts, chart !== null && figure(chart, finding)));
    append(card, [holdersPart(finding), element("div", "columns", evidence(finding), adviceList(finding.advice)), foot(finding, find)]);
    return attributes(card, { "aria-label": titleText(finding.title) });
}

function figure(chart: SVGElement, finding: Finding): HTMLElement {
    const slope = finding.bytes_per_step === null ? "" : `; dashed: ${formatBytes(finding.bytes_per_step)} per step; shaded: 95% confidence`;
    return element("figure", "", chart, element("figcaption", "", `Retained at the end of each step${slope}.`));
}

function source(finding: Finding): HTMLElement | null {
    if (finding.source === null) {
        return null;
    }
    const { first_line: first, lines } = finding.source;
    const rows = lines.map((line, i) => {
        const number = first + i;
        const row = element("span", number === finding.site.line ? "line here" : "line", element("i", "", String(number)), shown(line, SOURCE_CHARACTERS));
        return row;
    });
    return attributes(element("pre", "source", ...rows), { tabindex: 0, "aria-label": "Source" });
}

function evidence(finding: Finding): HTMLElement | null {
    if (finding.evidence.length === 0) {
        return null;
    }
    const items = finding.evidence.map(({ text }) => element("li", "", shown(text, 600)));
    return element("div", "because", element("h4", "", "Because"), element("ul", "", ...items));
}

export function adviceList(advice: Advice[], heading = element("h4", "", "What to do")): HTMLElement | null {
    if (advice.length === 0) {
        return null;
    }
    return element("div", "advice", heading, element("ol", "", ...advice.map(oneAdvice)));
}

function oneAdvice(advice: Advice): HTMLElement {
    const { action, why, before, after, link, patch } = advice;
    const code = element("pre", "diff", before !== "" && element("del", "", `- ${before}`), after !== "" && element("ins", "", `+ ${after}`));
    return element("li", "", element("strong", "", action), element("p", "", why), code.childNodes.length > 0 && code, patch !== null && element("p", "", safety(advice)), patch !== null && change(patch), reference(link));
}

/** A patch, with a button that copies it as git apply takes it. */
function change(patch: string): HTMLElement {
    const lines = patch.replace(/\n$/, "").split("\n").map((line) => element(/^[-+]/.test(line) ? (line.startsWith("-") ? "del" : "ins") : "span", "", `${line}\n`));
    return element("div", "", element("pre", "diff", ...lines), copyButton("Copy the patch", () => patch));
}

/** A link, where it is one to the web. */
function reference(link: string): HTMLElement | null {
    if (!/^https?:\/\//.test(link)) {
        return null;
    }
    return attributes(element("a", "", shown(link, 120)), { href: link, rel: "noreferrer noopener", target: "_blank" });
}

function foot(finding: Finding, find: (() => void) | null): HTMLElement {
    const sure = sureness(finding);
    const identity = [finding.cause === null ? "" : `cause ${words(finding.cause)}`, `id ${finding.id}`].filter((part) => part !== "").join(" · ");
    const buttons = element("div", "toolbar", copyButton("Copy as text", () => findingText(finding)), find !== null && button("Show in timeline", find));
    return element("footer", "", sure !== "" && element("p", "sure", sentence(`Sure: ${sure}`)), stack(finding), element("div", "identity", element("span", "id", identity), buttons));
}

function stack(finding: Finding): HTMLElement | null {
    if (finding.stack.length === 0) {
        return null;
    }
    const lines = finding.stack.slice(0, 60).map(({ file, line, function: name }) => shown(`${file}${line > 0 ? `:${line}` : ""}  ${name}`, 300));
    return element("details", "", element("summary", "", "Stack"), element("pre", "stack", lines.join("\n")));
}
