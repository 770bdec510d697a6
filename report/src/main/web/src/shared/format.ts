/** Numbers and places for people. Sizes and spans read as in the text report. */
import type { Site } from "../data/schema";

const SIZE_UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const SHOWN_CHARACTERS = 400;
const TITLE_CHARACTERS = 2000;

/** A size with three significant digits and its unit: 512 B, 3.00 MiB, 78.3 GiB. */
export function formatBytes(bytes: number): string {
    const whole = Math.round(bytes);
    if (Math.abs(whole) < 1024) {
        return `${whole} B`;
    }
    let value = whole;
    let unit = -1;
    while (Math.abs(value) >= 999.5 && unit < SIZE_UNITS.length - 1) {
        value /= 1024;
        unit++;
    }
    return `${threeDigits(value)} ${SIZE_UNITS[Math.max(unit, 0)]}`;
}

function threeDigits(value: number): string {
    const magnitude = Math.abs(value);
    return value.toFixed(magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0);
}

/** A number with its thousands apart. */
export function formatCount(count: number): string {
    return Math.round(count)
        .toString()
        .replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** A number and its noun, in the plural where it needs to be. */
export function counted(count: number, noun: string): string {
    return `${formatCount(count)} ${noun}${Math.round(count) === 1 ? "" : "s"}`;
}

export function formatPercent(share: number): string {
    return `${(share * 100).toFixed(1)}%`;
}

/** A span of microseconds with its unit: 3.25 s. */
export function formatSpan(micros: number): string {
    if (micros < 1e3) {
        return `${Math.round(micros)} µs`;
    }
    if (micros < 1e6) {
        return `${(micros / 1e3).toFixed(2)} ms`;
    }
    if (micros < 120e6) {
        return `${(micros / 1e6).toFixed(2)} s`;
    }
    if (micros < 7200e6) {
        return `${(micros / 60e6).toFixed(2)} min`;
    }
    return micros < 2 * 86400e6 ? `${(micros / 3600e6).toFixed(2)} h` : `${(micros / 86400e6).toFixed(2)} d`;
}

/** A constant of the report in words: no_stack becomes "no stack". */
export function words(constant: string): string {
    return constant.replaceAll("_", " ");
}

/** A text that begins with a capital, unless it begins with a name from a program. */
export function capital(text: string): string {
    return /^[a-z]+([ ,]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** The last name of a path. */
export function fileName(path: string): string {
    return path.slice(path.lastIndexOf("/") + 1);
}

/** A site in full. */
export function siteLabel(site: Site): string {
    switch (site.kind) {
        case "user":
            return `${site.file}:${site.line} ${site.function}`;
        case "annotation":
            return `in the range "${site.function}"`;
        case "operator":
            return `operator ${site.function}`;
        case "native":
            return `C++ only: ${site.function}`;
        case "no_stack":
            return "(no stack recorded)";
        case "before_recording":
            return "(allocated before the recording)";
        case "function":
            return `in the function "${site.function}"`;
        case "between_calls":
            return `between calls, after those of "${site.function}"`;
        case "figure":
            return `(no line: ${site.function})`;
        default:
            return `${site.file}:${site.line} ${site.function} (${site.kind})`;
    }
}

/** A site within a sentence. */
export function siteBrief(site: Site): string {
    return site.file === "" ? siteLabel(site) : `${fileName(site.file)}:${site.line} (${site.function})`;
}

/** A text, with the site that it is about where it does not name that itself. */
export function located(text: string, site: Site | null): string {
    if (site === null || site.file === "" || text.includes(`${fileName(site.file)}:${site.line}`)) {
        return text;
    }
    return `${text}, at ${siteBrief(site)}`;
}

/** A text short enough to be shown; the end is cut. */
export function shown(text: string, limit: number = SHOWN_CHARACTERS): string {
    return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/** A text short enough for a title attribute. */
export function titleText(text: string): string {
    return shown(text, TITLE_CHARACTERS);
}

/** A text of at most so many characters that has lost its beginning, as paths should. */
export function shownEnd(text: string, limit: number): string {
    return text.length <= limit ? text : `…${text.slice(text.length - limit + 1)}`;
}

/** The same label without zeros that say nothing: 1.50 s becomes 1.5 s. */
export function trimZeros(label: string): string {
    return label.replace(/\.(\d*?)0+(?= )/, (_, kept: string) => (kept === "" ? "" : `.${kept}`));
}
