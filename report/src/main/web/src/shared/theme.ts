import { DARK, LIGHT, type Theme } from "./palette";

type Choice = "light" | "dark" | null;

const wantsDark = window.matchMedia("(prefers-color-scheme: dark)");
const listeners: (() => void)[] = [];
let chosen: Choice = null;
let isPrinting = false;

/** The theme now: what the reader chose, else what the system prefers; paper is always light. */
export function theme(): Theme {
    if (isPrinting) {
        return LIGHT;
    }
    return (chosen === null ? wantsDark.matches : chosen === "dark") ? DARK : LIGHT;
}

/** Calls back whenever the theme has changed. */
export function onThemeChange(listener: () => void): void {
    listeners.push(listener);
}

export function toggleTheme(): void {
    chosen = theme().isDark ? "light" : "dark";
    apply();
}

/** Follows the system's preference and the printer. Call once. */
export function followSystemTheme(): void {
    wantsDark.addEventListener("change", apply);
    window.addEventListener("beforeprint", () => setPrinting(true));
    window.addEventListener("afterprint", () => setPrinting(false));
    apply();
}

function setPrinting(value: boolean): void {
    isPrinting = value;
    apply();
}

function apply(): void {
    document.documentElement.dataset["theme"] = theme().isDark ? "dark" : "light";
    listeners.forEach((listener) => listener());
}
