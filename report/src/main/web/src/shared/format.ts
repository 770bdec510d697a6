/** Numbers and texts as people read them. Sizes, spans and shares read as in the text report. */

const SIZE_UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
/** From this share on, tenths of a percent tell nobody anything. */
const COARSE = 0.0995;
/** From here on they tell something again: what is nearly all is not all. */
const NEARLY_ALL = 0.995;
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

/** A share in percent, below a tenth with a decimal: 97%, 9.7%; empty where it is not known. */
export function formatPercent(share: number | null): string {
    if (share === null) {
        return "";
    }
    const size = Math.abs(share);
    const isNearlyAll = size > NEARLY_ALL && size < 1;
    return isNearlyAll ? `${(Math.floor(size * 1000) / 10) * Math.sign(share)}%` : `${(share * 100).toFixed(size < COARSE ? 1 : 0)}%`;
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

/** A text that begins with a capital and ends with a stop. */
export function sentence(text: string): string {
    const begun = capital(text);
    return text === "" || /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** The last name of a path. */
export function fileName(path: string): string {
    return path.slice(path.lastIndexOf("/") + 1);
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
