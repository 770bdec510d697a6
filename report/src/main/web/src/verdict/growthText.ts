import type { Finding, Growth, Steps } from "../data/schema";
import { counted, formatBytes, formatCount, formatPercent, formatSpan } from "../shared/format";

/** Beyond this a forecast says nothing: ten years. */
const FAR_SECONDS = 10 * 365 * 86400;

/** The figures of a finding, as pairs of a name and a text; what was found in figures has them in its summary. */
export function figures(finding: Finding, steps: Steps | null): [string, string][] {
    const lines: [string, string][] = [];
    if (finding.site.kind === "figure") {
        return lines;
    }
    if (finding.bytes > 0) {
        const blocks = finding.blocks > 0 ? ` in ${counted(finding.blocks, "block")}` : "";
        lines.push(["held", `${formatBytes(finding.bytes)}${blocks} when most was`]);
    }
    if (finding.growth !== null && finding.bytes_per_step !== null) {
        lines.push(["grows", rate(finding, finding.growth)]);
        lines.push(["when", span(finding.growth, steps)]);
        if (finding.growth.share !== null) {
            lines.push(["share", `${formatPercent(finding.growth.share)} of all that grows over those steps`]);
        }
    }
    const forecast = full(finding);
    return forecast === null ? lines : [...lines, ["full in", forecast]];
}

function rate(finding: Finding, growth: Growth): string {
    const perStep = formatBytes(finding.bytes_per_step ?? 0);
    const low = formatBytes(growth.low);
    const high = formatBytes(growth.high);
    const interval = low === high ? "" : ` (${low} to ${high})`;
    const perSecond = finding.bytes_per_second === null ? "" : `, ${formatBytes(finding.bytes_per_second)} per second`;
    return `${perStep} per step${interval}${perSecond}`;
}

function span(growth: Growth, steps: Steps | null): string {
    const last = steps === null ? null : steps.count - 1;
    const until = last !== null && growth.last_step >= last ? "to the last, step" : "until step";
    const end = last !== null && growth.last_step < last ? `; the last is step ${formatCount(last)}` : "";
    const meaning = steps === null || steps.meaning === "" ? "" : `; a step is ${steps.meaning}`;
    return `from step ${formatCount(growth.first_step)} ${until} ${formatCount(growth.last_step)}${end}${meaning}`;
}

function full(finding: Finding): string | null {
    const { steps_to_oom: steps, seconds_to_oom: seconds } = finding;
    if (steps === null || (seconds !== null && seconds > FAR_SECONDS)) {
        return null;
    }
    const time = seconds === null ? "" : `, about ${formatSpan(seconds * 1e6)},`;
    return `${counted(Math.floor(steps), "step")}${time} at this rate`;
}
