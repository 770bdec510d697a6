import type { Finding } from "report";
import type { Picture } from "../data/picture";
import type { ChangePoint } from "./pen";

/** Where what was found begins and ends to grow; null stands for findings of other devices. */
export function changePoints(picture: Pick<Picture, "steps">, findings: (Finding | null)[], owners: number[]): ChangePoint[] {
    const last = picture.steps.length - 2;
    const points: ChangePoint[] = [];
    findings.forEach((finding, index) => {
        const growth = finding?.growth ?? null;
        if (growth !== null && last > 0) {
            points.push({ event: picture.steps[Math.min(growth.first_step, last)], label: `grows from step ${growth.first_step}`, finding: owners[index] });
            if (growth.last_step < last) {
                points.push({ event: picture.steps[growth.last_step], label: `until step ${growth.last_step}`, finding: owners[index] });
            }
        }
    });
    return distinct(points);
}

/** What is said of several findings at one place is said once. */
function distinct(points: ChangePoint[]): ChangePoint[] {
    return points.filter((point, i) => points.findIndex((other) => other.event === point.event && other.label === point.label) === i);
}
