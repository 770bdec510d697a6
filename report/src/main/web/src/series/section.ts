/** Figures over time or steps: drawn over each other where they share an axis, what each does, and what of a device's memory is whose. */
import type { AnalysisResult, DeviceResult, MeasuredSeries } from "report";
import { ofInput } from "../data/inputs";
import { element, section } from "../shared/dom";
import { capital, counted, sentence, shown } from "../shared/format";
import { agreementList, gapTable } from "./gaps";
import { overlay } from "./overlay";
import { curveOf, type Curve } from "./plane";

/** Figures that are told one by one; the JSON report has all. */
const TOLD = 48;

/** The section; null where the report has no figures. */
export function seriesSection(report: AnalysisResult): HTMLElement | null {
    const all = report.series;
    if (all.length === 0) {
        return null;
    }
    const charts = axes(all).map((axis) => chart(report, axis));
    const more = all.length > TOLD ? element("p", "note", `${counted(all.length - TOLD, "more figure")}.`) : null;
    return section("series", "Figures", "", ...charts, list(report), more, ...report.gaps.map(gapTable), agreementList(report.agreements));
}

/** The axes that figures have, each once; sources whose beginning nobody knows do not share one. */
function axes(all: MeasuredSeries[]): string[] {
    return [...new Set(all.filter(isDrawn).map(axisOf))];
}

function axisOf(series: MeasuredSeries): string {
    return series.axis === "time" ? "time" : `${series.axis} ${series.input}`;
}

function isDrawn(series: MeasuredSeries): boolean {
    return series.unit === "bytes" && series.curve.length > 1;
}

/** What grows stands first: in charts, so that it is among the curves that are drawn, and in the list. */
function growthFirst(all: MeasuredSeries[]): MeasuredSeries[] {
    return [...all].sort((a, b) => Number(b.shape === "grows") - Number(a.shape === "grows"));
}

function chart(report: AnalysisResult, axis: string): HTMLElement | null {
    const curves = growthFirst(report.series.filter((series) => isDrawn(series) && axisOf(series) === axis)).map((series) =>
        curveOf(ofInput(series.name, report, series.input), series.curve, series.shape === "grows"),
    );
    const snapshots = axis === "time" ? report.devices.flatMap((device) => snapshotCurves(report, device)) : [];
    return overlay([...curves, ...snapshots], axis.split(" ")[0]);
}

/** A snapshot's own timeline, where it has times. */
function snapshotCurves(report: AnalysisResult, device: DeviceResult): Curve[] {
    const name = ofInput(`${device.name}, snapshot`, report, device.input);
    const curve = (what: string, bytes: (point: DeviceResult["timeline"][number]) => number) =>
        curveOf(`${what}: ${name}`, device.timeline.map((point) => ({ position: point.time_us, low: bytes(point), high: bytes(point) })), false);
    return [curve("allocated", (point) => point.bytes), curve("reserved", (point) => point.reserved_bytes)].filter(({ bands }) => bands.length > 1);
}

function list(report: AnalysisResult): HTMLElement {
    const items = growthFirst(report.series)
        .slice(0, TOLD)
        .flatMap((series) => {
            const values = element("span", "values", ` ${sentence(series.values)}`);
            const name = shown(capital(ofInput(series.name, report, series.input)), 200);
            return [element("dt", "", name), element("dd", series.shape === "grows" ? "grows" : "", shown(sentence(series.reason), 400), values)];
        });
    return element("dl", "figures told", ...items);
}
