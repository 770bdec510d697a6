/** What function profiles say: how well memory is used, patterns, insights, what to do, and the functions with their figures. */
import type { FunctionProfile, FunctionUse, Report } from "../data/schema";
import type { TableColumn } from "../data/table";
import { element, section } from "../shared/dom";
import { counted, fileName, formatSpan, shown, words } from "../shared/format";
import { bytesColumn, countColumn, textColumn } from "../tables/columns";
import { TableView } from "../tables/tableView";
import { sentence } from "../verdict/verdict";

const MICROS = 1e6;
const LONGEST = 600;

export function functionSections(report: Report): HTMLElement[] {
    const { functions } = report;
    const rules = functions?.rules === "gpumemprof" ? "Judged by gpumemprof's rules." : "";
    return (functions?.profiles ?? []).map((profile, i) => {
        const of = report.inputs.length > 1 ? ` of ${fileName(report.inputs[profile.input]?.path ?? "")}` : "";
        const parts = [strip(profile), points(profile), recommendations(profile, report), table(profile.by_function)];
        return section(i === 0 ? "functions" : `functions-${i + 1}`, `Functions${of}`, rules, ...parts);
    });
}

function strip({ summary, optimization_score: score }: FunctionProfile): HTMLElement | null {
    if (summary.total_function_calls === 0) {
        return null;
    }
    const points = score.score === null ? "" : `${score.score} of 100, `;
    const pairs = [
        ["score", `${points}grade ${score.grade}`],
        ["functions", String(summary.total_functions_analyzed)],
        ["calls", counted(summary.total_function_calls, "call").replace(/ calls?$/, "")],
        ["time", formatSpan(summary.total_execution_time * MICROS)],
    ];
    return element("dl", "strip", ...pairs.map(([name, value]) => element("div", "", element("dt", "", name), element("dd", "", value))));
}

/** Patterns, insights and gaps, each with how much it matters. */
function points(profile: FunctionProfile): HTMLElement | null {
    const all = [
        ...profile.all_patterns.map(({ severity, description }) => [severity, description]),
        ...profile.all_insights.map(({ impact, title, description }) => [impact, `${title}: ${description}`]),
        ...profile.gap_analysis.map(({ severity, description }) => [severity, description]),
    ];
    const items = all.flatMap(([weight, text]) => [element("dt", "", words(weight)), element("dd", "", shown(sentence(text), LONGEST))]);
    return items.length === 0 ? null : element("dl", "figures", ...items);
}

/** Those that findings do not give as well. */
function recommendations(profile: FunctionProfile, report: Report): HTMLElement | null {
    const told = new Set(report.findings.map(({ summary }) => summary));
    const all = profile.recommendations.filter(({ description }) => !told.has(`${description}.`));
    if (all.length === 0) {
        return null;
    }
    const items = all.map(({ description, suggestions }) => {
        const texts = suggestions.map((text) => element("li", "", shown(text, LONGEST)));
        return element("li", "", element("strong", "", shown(sentence(description), LONGEST)), element("ul", "", ...texts));
    });
    return element("div", "advice", element("h4", "", "What to do"), element("ol", "", ...items));
}

function table(functions: FunctionUse[]): HTMLElement | null {
    if (functions.length === 0) {
        return null;
    }
    const keeps = bytesColumn<FunctionUse>("Keeps", (use) => use.memory_allocated - use.memory_freed);
    const columns: TableColumn<FunctionUse>[] = [
        textColumn("Function", (use) => use.function_name || "(no name)"),
        countColumn("Calls", (use) => use.call_count),
        { name: "Mean time", isNumber: true, value: meanTime, text: (use) => formatSpan(meanTime(use)) },
        keeps,
        bytesColumn("For itself", (use) => use.transient_memory),
        bytesColumn("Peak", (use) => use.peak_memory),
    ];
    return new TableView("Functions", functions, columns, keeps).root;
}

function meanTime(use: FunctionUse): number {
    return (use.total_time / Math.max(use.call_count, 1)) * MICROS;
}
