/*
 * Colour is for the leak. What a finding is about has a strong colour, the same in every part of the page; everything else is
 * muted. Hues follow Okabe and Ito, whose colours stay apart for colour-blind readers; where hues repeat, a pattern tells sites
 * apart, and every band also has its name.
 */
import type { Finding } from "report";
import type { PictureSite } from "../data/schema";

export type Pattern = "solid" | "rising" | "falling" | "dots";

export interface SiteStyle {
    /** Red, green, blue. */
    colour: Colour;
    pattern: Pattern;
}

export type Colour = [number, number, number];

export interface Theme {
    isDark: boolean;
    paper: Colour;
    ink: Colour;
    faint: Colour;
    line: Colour;
    accent: Colour;
    findings: Colour[];
    sites: Colour[];
    rest: Colour;
    kinds: Colour[];
}

export const LIGHT: Theme = {
    isDark: false,
    paper: [255, 255, 255],
    ink: [27, 28, 30],
    faint: [104, 106, 110],
    line: [221, 222, 224],
    accent: [200, 75, 0],
    findings: [
        [213, 94, 0],
        [0, 114, 178],
        [158, 77, 125],
        [0, 124, 92],
    ],
    sites: [
        [158, 186, 205],
        [197, 201, 206],
        [154, 196, 180],
        [219, 207, 160],
        [133, 152, 184],
        [205, 179, 194],
        [176, 172, 160],
    ],
    rest: [228, 229, 231],
    kinds: [
        [148, 178, 203],
        [205, 194, 160],
        [219, 221, 224],
        [196, 207, 200],
        [200, 188, 204],
        [232, 233, 235],
        [212, 206, 214],
    ],
};

export const DARK: Theme = {
    isDark: true,
    paper: [22, 23, 26],
    ink: [231, 231, 228],
    faint: [152, 155, 160],
    line: [52, 54, 59],
    accent: [255, 138, 61],
    findings: [
        [240, 116, 30],
        [72, 158, 214],
        [201, 125, 168],
        [42, 170, 132],
    ],
    sites: [
        [72, 103, 124],
        [88, 91, 97],
        [62, 106, 91],
        [117, 107, 62],
        [70, 84, 120],
        [108, 80, 97],
        [92, 88, 76],
    ],
    rest: [58, 60, 65],
    kinds: [
        [66, 98, 126],
        [100, 90, 58],
        [60, 63, 69],
        [66, 82, 74],
        [86, 72, 92],
        [48, 50, 55],
        [70, 64, 74],
    ],
};

/** Shades of one colour that can be told apart. */
const SHADES = 4;
const PATTERNS: Pattern[] = ["solid", "rising", "dots", "falling"];

/** For each finding the first that is about the same line: what is said of one line has one colour. */
export function colourOwners(findings: Pick<Finding, "site">[]): number[] {
    return findings.map(({ site }) => findings.findIndex((other) => isSameSite(other.site, site)));
}

function isSameSite(a: Finding["site"], b: Finding["site"]): boolean {
    return a.file === b.file && a.line === b.line && a.function === b.function && a.kind === b.kind;
}

/** The styles of a picture's sites. Findings come first; what no code of the user's made is grey. */
export function siteStyles(sites: PictureSite[], theme: Theme): SiteStyle[] {
    let plain = 0;
    const shades = new Map<number, number>();
    return sites.map((site) => {
        if (site.finding !== null) {
            const shade = shades.get(site.finding) ?? 0;
            shades.set(site.finding, shade + 1);
            return findingStyle(site.finding, shade, theme);
        }
        if (site.kind === "other") {
            return { colour: theme.rest, pattern: "solid" };
        }
        if (site.kind === "before_recording" || site.kind === "no_stack") {
            return { colour: mix(theme.rest, theme.ink, 0.12), pattern: site.kind === "no_stack" ? "dots" : "falling" };
        }
        const style = plainStyle(plain, theme);
        plain++;
        return style;
    });
}

/** The style of a line of a finding: each further line is a little paler, and after some has strokes. */
function findingStyle(finding: number, line: number, theme: Theme): SiteStyle {
    const colour = mix(theme.findings[finding % theme.findings.length], theme.paper, (line % SHADES) * 0.16);
    return { colour, pattern: PATTERNS[Math.floor(line / SHADES) % PATTERNS.length] };
}

function plainStyle(index: number, theme: Theme): SiteStyle {
    const round = Math.floor(index / theme.sites.length);
    return { colour: theme.sites[index % theme.sites.length], pattern: PATTERNS[round % PATTERNS.length] };
}

/** The colour between two others. */
export function mix(a: Colour, b: Colour, share: number): Colour {
    return [0, 1, 2].map((i) => Math.round(a[i] + (b[i] - a[i]) * share)) as Colour;
}

export function css([red, green, blue]: Colour, alpha: number = 1): string {
    return alpha === 1 ? `rgb(${red},${green},${blue})` : `rgba(${red},${green},${blue},${alpha})`;
}

/** The colour of a pattern's strokes: far enough from its ground to be seen, near enough to be calm. */
export function strokeOf(style: SiteStyle, theme: Theme): Colour {
    return mix(style.colour, theme.isDark ? theme.ink : theme.paper, theme.isDark ? 0.28 : 0.5);
}

/** Whether a pattern has its stroke at a pixel. */
export function isStroke(pattern: Pattern, x: number, y: number): boolean {
    switch (pattern) {
        case "solid":
            return false;
        case "rising":
            return (x + y) % 7 === 0;
        case "falling":
            return (x - y + 7_000_000) % 7 === 0;
        case "dots":
            return x % 5 < 2 && y % 5 < 2;
    }
}
