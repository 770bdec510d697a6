/** Figures over time or steps: drawn over each other where they share an axis, what each does, and what of a device's memory is whose. */
import type { Device, Report } from "../data/schema";
import { element, section } from "../shared/dom";
import { capital, counted, fileName, formatBytes, shown } from "../shared/format";
import { agreementList, gapTable } from "./gaps";
import { overlay } from "./overlay";
import { isTime, type Line, placeText, unit } from "./plane";
import type { Series } from "./types";

/** Figures that are told one by one; the JSON report has all. */
const TOLD = 48;

/** The section; null where the report has no figures. */
export function seriesSection(report: Report): HTMLElement | null {
    const all = report.series ?? [];
    if (all.length === 0) {
        return null;
    }
    const charts = axes(all).map((axis) => chart(report, all, axis));
    const gaps = (report.gaps ?? []).map((gap) => gapTable(gap, all));
    const more = all.length > TOLD ? element("p", "note", `${counted(all.length - TOLD, "more figure")}.`) : null;
    return section("series", "Figures", "", ...charts, list(report, all), more, ...gaps, agreementList(report.agreements ?? []));
}

/** The axes that figures have, each once; sources whose beginning nobody knows do not share one. */
function axes(all: Series[]): string[] {
    return [...new Set(all.filter(isDrawn).map(axisOf))];
}

function axisOf(series: Series): string {
    return series.axis === "time" ? "time" : `${series.axis} ${series.input}`;
}

function isDrawn(series: Series): boolean {
    return series.unit === "bytes" && series.curve.length > 1;
}

/** What grows is drawn first, so that it is among those that are. */
function chart(report: Report, all: Series[], axis: string): HTMLElement | null {
    const lines = all
        .filter((series) => isDrawn(series) && axisOf(series) === axis)
        .sort((a, b) => Number(b.shape === "grows") - Number(a.shape === "grows"))
        .map((series): Line => ({ name: series.name, curve: series.curve, grows: series.shape === "grows" }));
    const snapshots = axis === "time" ? report.devices.flatMap((device) => snapshotLines(report, device)) : [];
    return overlay([...lines, ...snapshots], axis.split(" ")[0]);
}

/** A snapshot's own timeline, where it has times. */
function snapshotLines(report: Report, device: Device): Line[] {
    const points = (device.timeline ?? []).flatMap((point) => (point.time_us === null ? [] : [{ ...point, position: point.time_us }]));
    const from = report.inputs.length > 1 ? ` in ${fileName(report.inputs[device.input]?.path ?? "")}` : "";
    const line = (what: string, bytes: (point: (typeof points)[number]) => number): Line => ({
        name: `${what} memory of device ${device.device} (snapshot)${from}`,
        curve: points.map((point) => ({ position: point.position, low: bytes(point), high: bytes(point) })),
        grows: false,
    });
    return points.length < 2 ? [] : [line("allocated", (point) => point.bytes), line("reserved", (point) => point.reserved_bytes)];
}

function list(report: Report, all: Series[]): HTMLElement {
    const sorted = [...all].sort((a, b) => Number(b.shape === "grows") - Number(a.shape === "grows"));
    const items = sorted.slice(0, TOLD).flatMap((series) => {
        const file = report.inputs.length > 1 ? ` in ${fileName(report.inputs[series.input]?.path ?? "")}` : "";
        const values = series.unit === "bytes" && element("span", "values", valuesText(series));
        return [element("dt", "", shown(`${capital(series.name)}${file}`, 200)), element("dd", series.shape === "grows" ? "grows" : "", shown(`${capital(series.reason)}.`, 400), values)];
    });
    return element("dl", "figures told", ...items);
}

function valuesText(series: Series): string {
    const { first, last, peak, floor } = series;
    const where = placeText(series.axis, first.position, peak.position);
    const over = isTime(series.axis) ? "" : ` over ${unit(series.axis)}s`;
    return ` First ${formatBytes(first.value)}, peak ${formatBytes(peak.value)} at ${where}, last ${formatBytes(last.value)}, floor ${formatBytes(floor)}; ${counted(series.points, "measurement")}${over}.`;
}
