import type { Finding } from "report";
import { formatPercent } from "../shared/format";

/** A finding as plain text, for a ticket or a message. */
export function findingText(finding: Finding): string {
    const [holder] = finding.holders;
    const parts = [
        [`${finding.severity}: ${finding.title}`, finding.site.label],
        [[finding.summary, finding.explanation?.text ?? ""].join(" ").trim()],
        labelled(finding.lines),
        labelled(holder?.lines ?? []),
        headed("because", finding.evidence.map(({ text }) => `- ${text}`)),
        headed("what to do", finding.advice.flatMap(advice)),
        labelled([{ label: "sure", text: sureness(finding) }, { label: "id", text: finding.id }]),
    ];
    return parts.filter((lines) => lines.length > 0).map((lines) => lines.join("\n")).join("\n\n");
}

function headed(heading: string, lines: string[]): string[] {
    return lines.length === 0 ? [] : [heading, ...lines];
}

function labelled(lines: Finding["lines"]): string[] {
    return lines.filter(({ text }) => text !== "").map(({ label, text }) => `${label}: ${text}`);
}

/** Whether a patch may be taken as it is, and why. */
export function safety({ patch_safety, patch_reason }: Pick<Finding["advice"][number], "patch_safety" | "patch_reason">): string {
    return `${patch_safety === "safe" ? "The patch is safe" : "Look at the patch before it is taken"}: ${patch_reason ?? ""}`;
}

function advice(item: Finding["advice"][number], index: number): string[] {
    const { action, why, before, after, patch } = item;
    const code = [["-", before], ["+", after]].filter(([, line]) => line !== "").map(([sign, line]) => `   ${sign} ${line}`);
    return [`${index + 1}. ${action}`, `   ${why}`, ...code, ...(patch === null ? [] : [`   ${safety(item)}`, "", patch])];
}

/** How sure a finding is, and why. */
export function sureness(finding: Pick<Finding, "confidence" | "confidence_reasons">): string {
    const reasons = finding.confidence_reasons.join("; ");
    return [formatPercent(finding.confidence), reasons].filter((part) => part !== "").join(": ");
}
