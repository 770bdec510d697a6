/** What the inputs and devices of a report are called. */
import type { AnalysisResult } from "report";
import { fileName } from "../shared/format";

/** The last name of an input's path. */
export function inputName(report: AnalysisResult, input: number): string {
    return fileName(report.inputs[input].path);
}

/** Whether several inputs are no dumps, so that it must be said which is meant. */
export function hasSeveralRecordings(report: AnalysisResult): boolean {
    return report.inputs.length - report.dumps.reduce((sum, dump) => sum + dump.inputs.length, 0) > 1;
}

/** A text about an input, with its name where there are several. */
export function ofInput(text: string, report: AnalysisResult, input: number): string {
    return hasSeveralRecordings(report) ? `${text} of ${inputName(report, input)}` : text;
}

/** A device's name, with that of its input where there are several. */
export function deviceName(report: AnalysisResult, input: number, device: number): string {
    const known = report.devices.find((one) => one.input === input && one.device === device);
    return ofInput(known?.name ?? `device ${device}`, report, input);
}
