/** What function profiles say: how well memory is used, patterns, insights, what to do, and the functions with their figures. */
import type { AnalysisResult, FunctionUse, Profile } from "report";
import { ofInput } from "../data/inputs";
import type { TableColumn } from "../data/table";
import { element, section } from "../shared/dom";
import { formatCount, formatSpan, sentence, shown, words } from "../shared/format";
import { bytesColumn, countColumn, spanColumn, textColumn } from "../tables/columns";
import { TableView } from "../tables/tableView";

const MICROS = 1e6;
const LONGEST = 600;

export function functionSections(report: AnalysisResult): HTMLElement[] {
    const { functions } = report;
    const rules = functions?.rules === "gpumemprof" ? "Rules of gpumemprof." : "";
    return (functions?.profiles ?? []).map((profile, i) => {
        const parts = [strip(profile), points(profile), recommendations(profile, report), table(profile.by_function)];
        return section(i === 0 ? "functions" : `functions-${i + 1}`, ofInput("Functions", report, profile.input), rules, ...parts);
    });
}

function strip({ summary, optimization_score: score }: Profile): HTMLElement | null {
    if (summary.total_function_calls === 0) {
        return null;
    }
    const points = score.score === null ? "" : `${score.score} of 100, `;
    const pairs = [
        ["score", `${points}grade ${score.grade}`],
        ["functions", formatCount(summary.total_functions_analyzed)],
        ["calls", formatCount(summary.total_function_calls)],
        ["time", summary.total_execution_time === null ? "" : formatSpan(summary.total_execution_time * MICROS)],
    ];
    return element("dl", "strip", ...pairs.map(([name, value]) => element("div", "", element("dt", "", name), element("dd", "", value))));
}

/** Patterns, insights and gaps, each with how much it matters. */
function points(profile: Profile): HTMLElement | null {
    const all = [
        ...profile.all_patterns.map(({ severity, description }) => [severity, description]),
        ...profile.all_insights.map(({ impact, title, description }) => [impact, `${title}: ${description}`]),
        ...profile.gap_analysis.map(({ severity, description }) => [severity, description]),
    ];
    const items = all.flatMap(([weight, text]) => [element("dt", "", words(weight)), element("dd", "", shown(sentence(text), LONGEST))]);
    return items.length === 0 ? null : element("dl", "figures", ...items);
}

/** Those that findings do not give as well. */
function recommendations(profile: Profile, report: AnalysisResult): HTMLElement | null {
    const told = new Set(report.findings.map(({ summary }) => summary));
    const all = profile.recommendations.filter(({ description }) => !told.has(`${description}.`));
    if (all.length === 0) {
        return null;
    }
    const items = all.map(({ description, suggestions }) => {
        const texts = suggestions.map((text) => element("li", "", shown(text, LONGEST)));
        return element("li", "", element("strong", "", shown(sentence(description), LONGEST)), element("ul", "", ...texts));
    });
    return element("div", "advice", element("h3", "part", "What to do"), element("ol", "", ...items));
}

function table(functions: FunctionUse[]): HTMLElement | null {
    if (functions.length === 0) {
        return null;
    }
    const retained = bytesColumn<FunctionUse>("Retained", (use) => use.memory_allocated - use.memory_freed);
    const columns: TableColumn<FunctionUse>[] = [
        textColumn("Function", (use) => use.function_name || "(no name)"),
        countColumn("Calls", (use) => use.call_count),
        spanColumn("Mean time", meanTime),
        retained,
        bytesColumn("Temporary", (use) => use.transient_memory),
        bytesColumn("Peak", (use) => use.peak_memory),
    ];
    return new TableView("Functions", functions, columns, retained).root;
}

function meanTime(use: FunctionUse): number | null {
    return use.total_time === null ? null : (use.total_time / Math.max(use.call_count, 1)) * MICROS;
}
