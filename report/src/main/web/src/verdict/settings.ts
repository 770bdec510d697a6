import { element } from "../shared/dom";
import { shown, words } from "../shared/format";

const ENVIRONMENT = "PYTORCH_CUDA_ALLOC_CONF";

/** The allocator's settings, folded up; null where the recording has none. */
export function settingsDetails(settings: Record<string, unknown>): HTMLElement | null {
    const all = Object.entries(settings);
    if (all.length === 0) {
        return null;
    }
    const given = String(settings[ENVIRONMENT] ?? "");
    const summary = element("summary", "", `Allocator settings${given === "" ? "" : `: ${shown(given, 160)}`}`);
    const items = all.flatMap(([name, value]) => [element("dt", "", name === ENVIRONMENT ? name : words(name)), element("dd", "", shown(settingText(value), 300))]);
    return element("details", "settings", summary, element("dl", "figures", ...items));
}

/** A setting in words. Settings that are the same for all sizes are said once. */
export function settingText(value: unknown): string {
    if (typeof value === "object" && value !== null) {
        const parts = Object.entries(value);
        const first = parts[0]?.[1];
        const isOne = parts.length > 1 && parts.every(([, part]) => part === first);
        return isOne ? `${settingText(first)} for all` : parts.map(([name, part]) => `${name}: ${settingText(part)}`).join(", ");
    }
    if (typeof value === "boolean") {
        return value ? "on" : "off";
    }
    return value === "" ? "not set" : value === -1 ? "no limit" : String(value);
}
