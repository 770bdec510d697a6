import type { Finding, Steps } from "../data/schema";
import { formatBytes, formatPercent, located, siteLabel } from "../shared/format";
import { figures } from "./growthText";
import { holderLines } from "./holderText";

/** A piece of evidence in one sentence. */
export function evidenceText(piece: Finding["evidence"][number]): string {
    const text = located(piece.text, piece.site);
    const amount = formatBytes(piece.bytes);
    return piece.bytes <= 0 || text.includes(amount) ? text : `${text}: ${amount}`;
}

/** A finding as plain text, for a ticket or a message. */
export function findingText(finding: Finding, steps: Steps | null): string {
    const lines = [`${finding.severity}: ${finding.title}`, siteLabel(finding.site), "", finding.summary, ""];
    lines.push(...figures(finding, steps).map(([name, text]) => `${name}: ${text}`), "");
    lines.push(...(finding.holders ?? []).slice(0, 1).flatMap(holderLines), ...(finding.holders?.length ? [""] : []), "because");
    lines.push(...finding.evidence.map((piece) => `- ${evidenceText(piece)}`), "", "what to do");
    finding.advice.forEach((advice, i) => {
        lines.push(`${i + 1}. ${advice.action}`, `   ${advice.why}`);
        lines.push(...[["-", advice.before], ["+", advice.after]].filter(([, code]) => code !== "").map(([sign, code]) => `   ${sign} ${code}`));
    });
    lines.push("", `sure: ${formatPercent(finding.confidence)}: ${finding.confidence_reasons.join("; ")}`, `id: ${finding.id}`);
    return lines.join("\n");
}
